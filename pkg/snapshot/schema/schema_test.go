package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
)

// said are the violations of a value, as "path keyword name".
func said(t *testing.T, rules schema.Rules, value string) []string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(value), &v))
	var out []string
	for _, one := range rules.Violations(v) {
		text := one.Path + " " + one.Keyword
		if one.Name != "" {
			text += " " + one.Name
		}
		out = append(out, text)
	}
	return out
}

func TestViolations(t *testing.T) {
	for name, c := range map[string]struct {
		schema  string
		accepts []string
		refuses map[string]string // value: what is said
	}{
		"type": {
			`{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"},"l":{"type":"array","items":{"type":"boolean"}}}}`,
			[]string{`{"n":1,"s":"","l":[true]}`, `{"n":1.0}`, `{"n":null}`, `{"other":{"n":"x"}}`, `{"l":[null]}`},
			map[string]string{`{"n":"1"}`: "n type", `{"n":1.5}`: "n type", `{"s":[]}`: "s type", `{"l":[1]}`: "l.[] type", `[]`: " type"},
		},
		"int or string": {
			`{"properties":{"p":{"type":"string","x-kubernetes-int-or-string":true,"pattern":"^[0-9]+$"}}}`,
			[]string{`{"p":1}`, `{"p":"1"}`}, map[string]string{`{"p":"x"}`: "p pattern"},
		},
		"enum": {
			`{"properties":{"m":{"type":"string","enum":["a","b"]},"i":{"enum":[1,2.0]},"z":{"enum":["a"],"nullable":true}}}`,
			[]string{`{"m":"a","i":2}`, `{"z":null}`}, map[string]string{`{"m":"c"}`: "m enum", `{"i":3}`: "i enum"},
		},
		"required": {
			`{"properties":{"h":{"type":"object","required":["ip","d"],"properties":{"ip":{"type":"string"},"d":{"default":1}}}}}`,
			[]string{`{}`, `{"h":{"ip":""}}`, `{"h":null}`},
			map[string]string{`{"h":{}}`: "h required ip", `{"h":{"ip":null}}`: "h required ip"},
		},
		"required and nullable": {
			`{"required":["a"],"properties":{"a":{"nullable":true,"type":"string"}}}`,
			[]string{`{"a":null}`}, map[string]string{`{}`: " required a"},
		},
		"bounds": {
			`{"properties":{"a":{"minimum":1,"maximum":3},"b":{"minimum":1,"exclusiveMinimum":true,"maximum":3,"exclusiveMaximum":true}}}`,
			[]string{`{"a":1,"b":2}`, `{"a":3}`},
			map[string]string{`{"a":0}`: "a minimum", `{"a":4}`: "a maximum", `{"b":1}`: "b minimum", `{"b":3}`: "b maximum"},
		},
		"texts": {
			`{"properties":{"a":{"minLength":2,"maxLength":3},"p":{"pattern":"^a+$"},"bad":{"pattern":"("}}}`,
			[]string{`{"a":"éé","p":"aa","bad":"x"}`},
			map[string]string{`{"a":"é"}`: "a length", `{"a":"xxxx"}`: "a length", `{"p":"ab"}`: "p pattern"},
		},
		"keys of a list": {
			`{"properties":{"env":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","p"],
			"items":{"type":"object","properties":{"name":{"type":"string"},"p":{"default":"TCP"}}}}}}`,
			[]string{`{"env":[{"name":"a"},{"name":"b"},{"name":"a","p":"UDP"}]}`},
			map[string]string{`{"env":[{"name":"a"},{"name":"a","p":"TCP"}]}`: "env unique"},
		},
		"a set": {
			`{"properties":{"s":{"x-kubernetes-list-type":"set"},"l":{"x-kubernetes-list-type":"atomic"}}}`,
			[]string{`{"s":["a","b"],"l":["a","a"]}`}, map[string]string{`{"s":["a","a"]}`: "s unique"},
		},
		"values of a map": {
			`{"properties":{"m":{"additionalProperties":{"type":"string"}},"o":{"additionalProperties":true}}}`,
			[]string{`{"m":{"x.y":"1"},"o":{"x":1}}`}, map[string]string{`{"m":{"x":1}}`: "m.* type"},
		},
		"what keeps unknown fields": {
			`{"properties":{"t":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"n":{"type":"integer"}}}}}`,
			[]string{`{"t":{"x":{"n":"1"}}}`}, map[string]string{`{"t":{"n":"1"}}`: "t.n type"},
		},
		"what is not known here": {
			`{"properties":{"a":{"format":"date-time","x-kubernetes-validations":[{"rule":"false"}],"anyOf":[{"type":"string"}],"maxItems":0}}}`,
			[]string{`{"a":[1]}`}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			rules := schema.Parse([]byte(c.schema))
			require.NotEmpty(t, rules)
			for _, value := range c.accepts {
				require.Empty(t, said(t, rules, value), value)
			}
			for value, want := range c.refuses {
				require.Equal(t, []string{want}, said(t, rules, value), value)
			}
		})
	}
	require.Empty(t, said(t, nil, `{"a":1}`))
	require.Empty(t, schema.Parse([]byte(`7`)))
}

// TestRefusesAsBefore: a rule that refused the value already is no news, whatever keyword it refuses it by.
func TestRefusesAsBefore(t *testing.T) {
	for name, c := range map[string]struct {
		before, now, value string
		refused            bool
	}{
		"the same":          {`{"enum":["a"]}`, `{"enum":["a"]}`, `"b"`, true},
		"a smaller enum":    {`{"enum":["a","b"]}`, `{"enum":["a"]}`, `"b"`, false},
		"in neither":        {`{"enum":["a","b"]}`, `{"enum":["a"]}`, `"c"`, true},
		"another type":      {`{"type":"string"}`, `{"type":"integer"}`, `"1"`, false},
		"a wrong type":      {`{"type":"boolean"}`, `{"enum":["a"]}`, `"b"`, true},
		"of a list":         {`{"type":"array"}`, `{"type":"object"}`, `[1]`, false},
		"required since":    {`{"required":["a"]}`, `{"required":["a","b"]}`, `{"a":1}`, false},
		"required before":   {`{"required":["a","b"]}`, `{"required":["b"]}`, `{"a":1}`, true},
		"unique since":      {`{}`, `{"x-kubernetes-list-type":"set"}`, `[1,1]`, false},
		"unique before":     {`{"x-kubernetes-list-type":"set"}`, `{"x-kubernetes-list-type":"set"}`, `[1,1]`, true},
		"a higher minimum":  {`{"minimum":1}`, `{"minimum":3}`, `2`, false},
		"below both minima": {`{"minimum":1}`, `{"minimum":3}`, `0`, true},
		"a new pattern":     {`{"pattern":"^.+$"}`, `{"pattern":"^a$"}`, `"b"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			before, now := schema.Parse([]byte(c.before)), schema.Parse([]byte(c.now))
			var value any
			require.NoError(t, json.Unmarshal([]byte(c.value), &value))
			list := now.Violations(value)
			require.Len(t, list, 1)
			require.Equal(t, c.refused, before[list[0].Path].Refuses(list[0]))
		})
	}
}

func TestNarrowed(t *testing.T) {
	for name, c := range map[string]struct {
		before, now string
		narrowed    bool
	}{
		"the same":             {`{"type":"string","enum":["a"]}`, `{"type":"string","enum":["a"]}`, false},
		"another type":         {`{"type":"string"}`, `{"type":"integer"}`, true},
		"any number":           {`{"type":"integer"}`, `{"type":"number"}`, false},
		"no type":              {`{"type":"integer"}`, `{}`, false},
		"a smaller enum":       {`{"enum":["a","b"]}`, `{"enum":["a"]}`, true},
		"a larger enum":        {`{"enum":["a"]}`, `{"enum":["b","a"]}`, false},
		"required":             {`{}`, `{"required":["a"]}`, true},
		"required, defaulted":  {`{}`, `{"required":["a"],"properties":{"a":{"default":1}}}`, false},
		"no longer required":   {`{"required":["a"]}`, `{}`, false},
		"a lower minimum":      {`{"minimum":2}`, `{"minimum":1}`, false},
		"an exclusive minimum": {`{"minimum":2}`, `{"minimum":2,"exclusiveMinimum":true}`, true},
		"a lower maximum":      {`{"maximum":2}`, `{"maximum":1}`, true},
		"a pattern":            {`{}`, `{"pattern":"a"}`, true},
		"longer":               {`{}`, `{"minLength":1}`, true},
		"shorter":              {`{"maxLength":3}`, `{"maxLength":2}`, true},
		"keys":                 {`{}`, `{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			list := schema.Parse([]byte(c.now)).Narrowed(schema.Parse([]byte(c.before)))
			require.Equal(t, c.narrowed, len(list) > 0, list)
		})
	}
	old, now := schema.Parse([]byte(`{}`)), schema.Parse([]byte(`{"properties":{"new":{"type":"string"}}}`))
	require.Empty(t, now.Narrowed(old), "no object has a value there")
}
