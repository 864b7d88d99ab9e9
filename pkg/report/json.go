package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// JSON writes the report as one JSON document, indented like kubectl's.
func JSON(w io.Writer, r *Report) error {
	b, err := encode(r, "    ")
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// YAML writes the report as one YAML document.
func YAML(w io.Writer, r *Report) error {
	b, err := encode(r, "")
	if err != nil {
		return err
	}
	if b, err = yaml.JSONToYAML(b); err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// encode returns a report as JSON in which characters that a terminal may act on, or that YAML does not allow, are
// written as \u escapes: the value is the same. encoding/json does that for the ASCII ones only.
func encode(report any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(report); err != nil {
		return nil, err
	}
	raw := b.Bytes()
	if !bytes.ContainsFunc(raw, mustEscape) {
		return raw, nil
	}
	out := make([]byte, 0, len(raw)+len(raw)/8)
	for len(raw) > 0 {
		c, n := utf8.DecodeRune(raw)
		if mustEscape(c) {
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = append(out, raw[:n]...)
		}
		raw = raw[n:]
	}
	return out, nil
}

// mustEscape knows the basic plane only: nothing beyond it is a control character. A newline is ours, strings have \n.
func mustEscape(c rune) bool {
	return c != '\n' && c <= 0xffff && (unsafe(c) || c == 0xfffe || c == 0xffff)
}
