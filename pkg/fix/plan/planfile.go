package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// maxPlan bounds a plan file: that of a hundred applications with 20,000 executors each takes half of it.
const maxPlan = 512 << 20

// ReadPlan reads a plan that -o yaml or -o json wrote. Whoever hands it in is not trusted: what no check would propose, or what
// says something else than it does, is Refused with its field. Any other error means that it is no plan at all.
//
// A plan chooses, and bounds, what is written. What is shown and sent comes from the cluster: see Again.
func ReadPlan(r io.Reader) (Plan, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxPlan+1))
	if err != nil {
		return Plan{}, err
	}
	if len(text) > maxPlan {
		return Plan{}, fmt.Errorf("is larger than %d MiB", maxPlan>>20)
	}
	if text, err = planJSON(text); err != nil {
		return Plan{}, err
	}
	var head struct{ APIVersion, Kind string }
	if err := json.Unmarshal(text, &head); err != nil || head.Kind != "FixPlan" || head.APIVersion != APIVersion {
		return Plan{}, fmt.Errorf("is no FixPlan of %s", APIVersion)
	}
	var p Plan
	if err := strict(text, &p); err != nil {
		return Plan{}, err
	}
	if len(p.Files) > 0 {
		return Plan{}, &fix.Refused{Reason: "it was planned from files and is bound to no cluster: plan again without -f"}
	}
	if p.Cluster.UID == "" {
		return Plan{}, fix.Fault("cluster.uid", "is missing")
	}
	seen := map[string]int{}
	for i := range p.Fixes {
		if err := p.Fixes[i].check(fmt.Sprintf("fixes[%d]", i), i+1); err != nil {
			return Plan{}, err
		}
		key := fmt.Sprint(p.Fixes[i].Traits().Target.Key(), p.Fixes[i].Title)
		if before, twice := seen[key]; twice {
			return Plan{}, fix.Fault(fmt.Sprintf("fixes[%d].wish", i), "is that of fixes[%d]", before)
		}
		seen[key] = i
	}
	return p, nil
}

// planJSON returns a plan as JSON. sparkdoctor writes no aliases, with which a small file makes a large plan.
func planJSON(text []byte) ([]byte, error) {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && json.Valid(text) {
		return text, input.ValuesOfJSON(text)
	}
	if err := input.Values(text); err != nil {
		return nil, err
	}
	if bytes.IndexByte(text, '&') >= 0 && bytes.IndexByte(text, '*') >= 0 {
		var n yamlv3.Node
		if err := yamlv3.Unmarshal(text, &n); err != nil {
			return nil, err
		}
		if line := aliasIn(&n); line > 0 {
			return nil, fix.Fault(fmt.Sprintf("line %d", line), "is a YAML alias")
		}
	}
	out, err := yaml.YAMLToJSONStrict(text)
	if err == nil {
		return out, nil
	}
	if _, lenient := yaml.YAMLToJSON(text); lenient == nil {
		return nil, fix.Fault("the document", "%v", err) // a key twice
	}
	return nil, err
}

func aliasIn(n *yamlv3.Node) int {
	if n.Kind == yamlv3.AliasNode {
		return n.Line
	}
	for _, below := range n.Content {
		if line := aliasIn(below); line > 0 {
			return line
		}
	}
	return 0
}

// check holds a fix of a file against the table, and what it says of itself against its intent.
func (f *Fix) check(at string, id int) error {
	if f.ID != id {
		return fix.Fault(at+".id", "is %d, not %d", f.ID, id)
	}
	if err := checkFindings(at, f.Findings); err != nil {
		return err
	}
	intent := f.Spec.Intent()
	if err := fix.CheckIntent(at+".wish", intent); err != nil {
		return err
	}
	t := fix.TraitsOf(intent)
	switch {
	case f.Title != t.Title:
		return fix.Fault(at+".title", "is not that of its wish, %q", t.Title)
	case f.Risk != t.Risk:
		return fix.Fault(at+".risk", "is %s, and that of its wish is %s", f.Risk, t.Risk)
	case f.Undo != fix.UndoOf(intent):
		return fix.Fault(at+".undo", "is %q, and that of its wish is %q", f.Undo, fix.UndoOf(intent))
	case len(f.Steps) == 0:
		return fix.Fault(at+".steps", "are missing")
	}
	for i, before := range f.After {
		if before < 1 || before >= id {
			return fix.Fault(fmt.Sprintf("%s.after[%d]", at, i), "is %d, and fix %d can only wait for one before it", before, id)
		}
	}
	for i := range f.Steps {
		step := fmt.Sprintf("%s.steps[%d]", at, i)
		if err := fix.CheckStep(step, intent, &f.Steps[i]); err != nil {
			return err
		}
		if f.Steps[i].Target != t.Target {
			return fix.Fault(step+".target", "is %s, and its wish is for %s", f.Steps[i].Target, t.Target)
		}
	}
	return nil
}

// fingerprint is how findings are named, and checkID how checks are.
func fingerprint() *regexp.Regexp { return regexp.MustCompile(`^sd[0-9]{4}-[0-9a-f]{12}$`) }
func checkID() *regexp.Regexp     { return regexp.MustCompile(`^SD[0-9]{4}$`) }

func checkFindings(at string, list []Finding) error {
	if len(list) == 0 {
		return fix.Fault(at+".findings", "are missing")
	}
	for i, f := range list {
		if !fingerprint().MatchString(f.Name) || f.Check != strings.ToUpper(f.Name[:6]) {
			return fix.Fault(fmt.Sprintf("%s.findings[%d].name", at, i), "is none of a finding of %q", f.Check)
		}
	}
	return nil
}
