package report

import (
	"bytes"
	_ "embed" // the schema
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// JSON writes the report as one JSON document, indented like kubectl's.
func JSON(w io.Writer, r *Report) error { return EncodeJSON(w, r, "    ") }

// YAML writes the report as one YAML document.
func YAML(w io.Writer, r *Report) error { return EncodeYAML(w, r) }

// EncodeJSON writes any value as JSON on which no terminal acts.
func EncodeJSON(w io.Writer, value any, indent string) error {
	b, err := encode(value, indent)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// EncodeYAML writes any value as YAML on which no terminal acts.
func EncodeYAML(w io.Writer, value any) error {
	b, err := encode(value, "")
	if err != nil {
		return err
	}
	if b, err = inertYAML(b); err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// quoted at the end of a string has YAML written it in double quotes, in which alone there are escapes.
const quoted = "\a\x06\a"

// inertYAML turns JSON into YAML in which characters that a terminal may act on are escapes, too: the value is the same.
func inertYAML(raw []byte) ([]byte, error) {
	var value any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	raw, err := encodeWith(eachString(value, func(s string) string {
		if strings.ContainsFunc(s, unsafe) || strings.Contains(s, "##[") {
			return s + quoted
		}
		return s
	}), "", func(c rune) bool { return c <= 0xffff && mustEscape(c) }) // its parser takes no pairs of escapes
	if err != nil {
		return nil, err
	}
	out, err := yaml.JSONToYAML(raw)
	if err != nil || !bytes.Contains(out, []byte(`\a\x06\a`)) {
		return out, err
	}
	text := strings.NewReplacer(`\a\x06\a`, "", "##[", `\x23#[`).Replace(string(out))
	var b strings.Builder
	for _, c := range text {
		if c != '\n' && unsafe(c) {
			fmt.Fprintf(&b, `\U%08x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return []byte(b.String()), nil
}

// EscapeAll has every string in a value, as JSON has it, go through Escape.
func EscapeAll(value map[string]any) { eachString(value, Escape) }

// eachString returns a value as JSON has it with every string in it changed; names of members are ours.
func eachString(value any, fn func(string) string) any {
	switch v := value.(type) {
	case string:
		return fn(v)
	case []any:
		for i := range v {
			v[i] = eachString(v[i], fn)
		}
	case map[string]any:
		for name := range v {
			v[name] = eachString(v[name], fn)
		}
	}
	return value
}

// encode returns a report as JSON in which characters that a terminal may act on, or that YAML does not allow, are
// written as \u escapes: the value is the same. encoding/json does that for the ASCII ones only.
func encode(report any, indent string) ([]byte, error) { return encodeWith(report, indent, mustEscape) }

func encodeWith(report any, indent string, mustEscape func(rune) bool) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(report); err != nil {
		return nil, err
	}
	// GitHub's runner takes it for a command wherever it stands in a log; only strings can hold it.
	raw := b.Bytes()
	if bytes.Contains(raw, []byte("##[")) {
		raw = bytes.ReplaceAll(raw, []byte("##["), []byte(`\u0023#[`))
	}
	if !bytes.ContainsFunc(raw, mustEscape) {
		return raw, nil
	}
	out := make([]byte, 0, len(raw)+len(raw)/8)
	for len(raw) > 0 {
		c, n := utf8.DecodeRune(raw)
		switch high, low := utf16.EncodeRune(c); {
		case mustEscape(c) && c > 0xffff:
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		case mustEscape(c):
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, raw[:n]...)
		}
		raw = raw[n:]
	}
	return out, nil
}

// mustEscape passes over the newlines, which are ours: strings have \n.
func mustEscape(c rune) bool { return c != '\n' && unsafe(c) }

//go:embed schema.json
var schema []byte

// Schema returns the JSON schema of the report.
func Schema() []byte { return slices.Clone(schema) }
