package wire

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// dynamicAllocation is how the settings of dynamic allocation begin.
const dynamicAllocation = "spark.dynamicAllocation."

// wireAllocation is spec.dynamicAllocation.
type wireAllocation struct {
	Enabled bool      `json:"enabled"`
	Min     wireCount `json:"minExecutors"`
	Initial wireCount `json:"initialExecutors"`
	Max     wireCount `json:"maxExecutors"`
}

func (w wireAllocation) bounds() snapshot.ExecutorBounds {
	return snapshot.ExecutorBounds{Min: w.Min.value, Initial: w.Initial.value, Max: w.Max.value}
}

// wireCount is a whole number that may be missing. A value of another type is none: the CRD refuses it, and the rest of the object is as
// good as before.
type wireCount struct{ value *int }

// UnmarshalJSONFrom reads a number.
func (w *wireCount) UnmarshalJSONFrom(dec *jsontext.Decoder) (err error) {
	kind := dec.PeekKind()
	w.value, err = readCount(dec)
	if kind != '0' {
		w.value = nil
	}
	return err
}

// readCount reads a whole number, or a text of one as Spark takes it, with blanks around it (toNumber in
// core/src/main/scala/org/apache/spark/internal/config/ConfigBuilder.scala of Spark 3 and 4).
func readCount(dec *jsontext.Decoder) (*int, error) {
	value, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	text := string(value)
	if value.Kind() == '"' {
		unquoted, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return nil, nil //nolint:nilerr // a text that is none is no number
		}
		text = strings.TrimSpace(string(unquoted))
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return nil, nil //nolint:nilerr // it is no whole number
	}
	return new(int(n)), nil
}

// number returns where the number of a setting is kept; nil: it is none of these.
func (c *wireConf) number(name string) **int {
	switch name {
	case "spark.executor.instances":
		return &c.ExecutorInstances
	case dynamicAllocation + "minExecutors":
		return &c.ExecutorBounds.Min
	case dynamicAllocation + "initialExecutors":
		return &c.ExecutorBounds.Initial
	case dynamicAllocation + "maxExecutors":
		return &c.ExecutorBounds.Max
	default:
		return nil
	}
}
