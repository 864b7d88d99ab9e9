// Package helm reads what Helm prints of a release, its values, and what it keeps of one. Values are never printed.
package helm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// MaxValues bounds a file of values. Helm keeps a release, with its values, in a Secret, which holds at most 1 MiB
// (k8s.io/api/core/v1, MaxSecretSize).
const MaxValues = 1 << 20

// Values are those of a release, as helm get values prints them.
type Values map[string]any

// ParseValues reads the output of helm get values, with or without -o yaml or json. It begins with a line about itself where no
// format was asked for (cmd/helm/get_values.go of helm.sh/helm/v3@v3.22.0). A release without values has "null".
func ParseValues(data []byte) (Values, error) {
	if len(data) > MaxValues {
		return nil, fmt.Errorf("larger than %d KiB", MaxValues>>10)
	}
	for _, heading := range []string{"USER-SUPPLIED VALUES:\n", "COMPUTED VALUES:\n"} {
		data = bytes.TrimPrefix(data, []byte(heading))
	}
	raw, err := wire.YAMLToJSON(data)
	if errors.Is(err, wire.ErrAliases) {
		return nil, err
	}
	var all any
	if err != nil || json.Unmarshal(raw, &all) != nil {
		return nil, errors.New("not YAML or JSON") // the parser's own text may hold a value
	}
	switch v := all.(type) {
	case nil:
		return Values{}, nil
	case map[string]any:
		if v["apiVersion"] != nil && v["kind"] != nil {
			return nil, errors.New("a Kubernetes object; it should be the output of helm get values")
		}
		return v, nil
	default:
		return nil, errors.New("no map; it should be the output of helm get values")
	}
}

// Below returns the values for a chart that a release's own chart depends on, which are below its name; the values themselves where
// there are none (helm.sh/docs/chart_template_guide/subcharts_and_globals).
func (v Values) Below(chart string) Values {
	if sub, is := v[chart].(map[string]any); is {
		return sub
	}
	return v
}

// At returns a value, nil where it is not set, or set to null, by which Helm takes a chart's default away.
func (v Values) At(path string) any {
	var at any = map[string]any(v)
	for _, key := range strings.Split(path, ".") {
		m, is := at.(map[string]any)
		if !is {
			return nil
		}
		at = m[key]
	}
	return at
}

// Has reports whether a value is set, be it to null.
func (v Values) Has(path string) bool {
	parent, key := v, path
	if i := strings.LastIndex(path, "."); i >= 0 {
		m, _ := v.At(path[:i]).(map[string]any)
		parent, key = m, path[i+1:]
	}
	_, has := parent[key]
	return has
}

// Text returns a value as templates print it; empty where it is not set.
func (v Values) Text(path string) string {
	switch x := v.At(path).(type) {
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	default:
		return ""
	}
}

// List returns the texts of a list.
func (v Values) List(path string) []string {
	list, _ := v.At(path).([]any)
	out := []string{}
	for _, one := range list {
		if text, is := one.(string); is {
			out = append(out, text)
		}
	}
	return out
}
