package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// mentionsPrunable looks for the names in a manifest, quoted as a string of JSON.
func mentionsPrunable(quoted []byte) bool {
	return slices.ContainsFunc([]string{"priorityClassName", "template", "archives", "memoryLimit", "shuffleTrackingEnabled", "suspend"}, func(name string) bool {
		return bytes.Contains(quoted, []byte(`"`+name+`\"`))
	})
}

// lostFields returns the fields that the manifest sets and the object does not have.
func lostFields(object, manifest []byte) []string {
	if len(manifest) == 0 {
		return nil
	}
	var stored, applied struct {
		Spec setFields `json:"spec"`
	}
	if json.Unmarshal(manifest, &applied, Options()) != nil || json.Unmarshal(object, &stored, Options()) != nil {
		return nil
	}
	var lost []string
	for _, f := range applied.Spec {
		if !slices.Contains(stored.Spec, f) {
			lost = append(lost, f)
		}
	}
	return lost
}

// setFields are the prunable fields that a spec sets.
type setFields []string

func (p *setFields) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	err := p.read(dec, nil)
	slices.Sort(*p)
	return err
}

func (p *setFields) read(dec *jsontext.Decoder, path []string) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	return members(dec, func(name string) error {
		below := append(slices.Clip(path), name)
		field := strings.Join(below, ".")
		switch {
		case dec.PeekKind() == 'n':
			return dec.SkipValue()
		case slices.Contains(snapshot.PrunableFields(), field):
			*p = append(*p, field)
			return dec.SkipValue()
		case len(path) > 0:
			return dec.SkipValue()
		default:
			return p.read(dec, below)
		}
	})
}
