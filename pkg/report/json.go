package report

import (
	"bytes"
	"encoding/json"
	"io"

	"sigs.k8s.io/yaml"
)

// JSON writes the report as one JSON document, indented like kubectl's.
func JSON(w io.Writer, r *Report) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "    ")
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// YAML writes the report as one YAML document.
func YAML(w io.Writer, r *Report) error {
	b, err := yaml.Marshal(r)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
