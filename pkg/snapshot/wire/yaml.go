package wire

import (
	"bytes"
	"errors"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// By how much aliases may expand a YAML document: in bytes, and in values. etcd's limit for an object is 1.5 MiB.
const (
	maxGrowth      = 8 << 20
	maxGrownValues = 20_000
)

// ErrAliases is the error for a document whose aliases expand it too much.
var ErrAliases = errors.New("its aliases expand it by more than 8 MiB or 20,000 values")

// YAMLToJSON turns a YAML document into JSON, in which each alias is a copy of what it stands for. The library bounds only roughly how
// many values aliases make (allowedAliasRatio in decode.go of go.yaml.in/yaml/v2@v2.4.4), and not how long they are: 200 KB can become
// gigabytes.
func YAMLToJSON(text []byte) ([]byte, error) {
	if err := input.Values(text); err != nil {
		return nil, err
	}
	if bytes.IndexByte(text, '&') >= 0 && bytes.IndexByte(text, '*') >= 0 {
		var document yamlv3.Node // in which an alias is a pointer
		if err := yamlv3.Unmarshal(text, &document); err != nil {
			return nil, err
		}
		whole, plain := growth{}.of(&document), values(&document)
		if whole.bytes > int64(2*len(text)+maxGrowth) || whole.values > plain+maxGrownValues {
			return nil, ErrAliases
		}
	}
	return yaml.YAMLToJSON(text)
}

// grown is what a value is with its aliases expanded: how long as JSON, about, and how many values.
type grown struct{ bytes, values int64 }

// growth knows what the values of a document are that have been looked at.
type growth map[*yamlv3.Node]grown

// endless is more than any document may have, and small enough to be summed up.
const endless = 1 << 32

func (g growth) of(n *yamlv3.Node) grown {
	if n.Kind == yamlv3.AliasNode {
		n = n.Alias
	}
	if known, is := g[n]; is {
		return known
	}
	g[n] = grown{endless, endless} // if it is within itself
	sum := grown{int64(len(n.Value)) + 2, 1}
	for _, below := range n.Content {
		one := g.of(below)
		sum.bytes, sum.values = min(sum.bytes+one.bytes, endless), min(sum.values+one.values, endless)
	}
	g[n] = sum
	return sum
}

// values counts those of a document, aliases as one.
func values(n *yamlv3.Node) int64 {
	count := int64(1)
	for _, below := range n.Content {
		count += values(below)
	}
	return count
}
