package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// MaxFile is how large a report may be that is read again: one with 100,000 findings takes a third of it.
const MaxFile = 512 << 20

// Read returns the report in a text that -o json or -o yaml wrote, or another program. Fields that this build does not know
// are passed over.
func Read(text []byte) (*Report, error) {
	raw := text
	if !json.Valid(text) { // the parser of YAML does not read all of JSON: no pairs of \u escapes
		var err error
		if raw, err = wire.YAMLToJSON(text); err != nil {
			return nil, fmt.Errorf("expected JSON or YAML as -o json and -o yaml write it: %w", err)
		}
	}
	if err := input.ValuesOfJSON(raw); err != nil {
		return nil, err
	}
	if what := otherKind(raw); what != "" {
		return nil, errors.New(what)
	}
	if err := validate(raw); err != nil {
		return nil, err
	}
	var r Report
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	if len(r.Sources) > 1 {
		r.tellApart()
	}
	for i := range r.Items {
		r.Items[i].Docs = checks.PageURL(r.Items[i].Check) // a link of ours, whatever the text says
		for j := range r.Items[i].Next {
			r.Items[i].Next[j].Command = "" // a command to copy is made of what was seen, never taken from a text
		}
	}
	for i := range r.ClusterRead {
		r.ClusterRead[i].Command = ""
	}
	for i := range r.NamespaceRead {
		r.NamespaceRead[i].Command = ""
	}
	r.Conclude() // of what it says itself, whatever verdict is written there
	return &r, nil
}

// otherKind is what a text is that says so itself, if it is no report: SARIF, an object of Kubernetes, another document of sparkdoctor.
func otherKind(raw []byte) string {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Runs       []any  `json:"runs"`
	}
	switch err := json.Unmarshal(raw, &head); {
	case err != nil:
		return ""
	case head.Runs != nil && head.Kind == "":
		return "it is SARIF"
	case bytes.Equal(bytes.TrimSpace(raw), []byte("null")):
		return "it is empty"
	case head.Kind == "":
		return "it has no kind"
	case head.Kind != "ScanReport":
		return "it is a " + head.Kind
	default:
		return ""
	}
}

// validate compares a report with the schema and returns the first thing that is wrong.
func validate(raw []byte) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	contract, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", contract); err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json#/$defs/scanReport")
	if err != nil {
		return err
	}
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(document); !errors.As(err, &invalid) {
		return err
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	text := invalid.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	return fmt.Errorf("%s of %s: %s", strings.Join(append([]string{""}, invalid.InstanceLocation...), "/"), APIVersion, text)
}
