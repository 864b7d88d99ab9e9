package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// projector turns the outputs for one input into text that a diff can show, in the order of frozenCommands: what gate and live say, too,
// is not written again below them, nor in a plan what live says.
//
// A projection is the exit code, what is said on stderr where it is the answer, and:
//   - of a report the verdict and its roots, installations, admission of namespaces, each finding (but for lines of files and UIDs) and
//     each check that was skipped or partial; values of evidence are cut at 160 characters;
//   - of a gate also what it rests on and the steps of its runbook that a check adds; the steps of every upgrade are written for inputs
//     that are not about one check: hops, rendered, target and examples;
//   - of a plan each fix with its steps, at most five changes of each, values cut at 120 characters, and each finding that has no fix.
//
// The rest is held by the hash of the output.
type projector struct {
	runbook    bool // with the steps of every upgrade
	scan, live reported
}

// reported is a report and the names of its findings.
type reported struct {
	report  report.Report
	names   map[string]string // by fingerprint
	entries []entry
}

// project returns the projection of a normalized output.
func (p *projector) project(command, text string) (string, error) {
	exit, body, _ := strings.Cut(text, "\n")
	said := ""
	if exit == "exit 2" {
		body, said, _ = strings.Cut(body, "stderr:\n")
	}
	var lines strings.Builder
	for line := range strings.Lines(said) {
		writeEntry(&lines, strings.TrimSuffix("stderr: "+line, "\n"), nil)
	}
	if body == "" {
		return exit + "\n" + lines.String(), nil
	}
	if command == "fix" {
		var planned plan.Plan
		if err := yaml.Unmarshal([]byte(body), &planned); err != nil {
			return "", fmt.Errorf("the plan: %w", err)
		}
		return exit + "\n" + lines.String() + whole(p.live.plan(planned)), nil
	}
	var r reported
	if err := json.Unmarshal([]byte(body), &r.report); err != nil {
		return "", fmt.Errorf("the report: %w", err)
	}
	r.name()
	r.describe(p.runbook)
	exit += "\n" + lines.String()
	switch command {
	case "scan":
		p.scan = r
		return exit + whole(r.entries), nil
	case "gate":
		return exit + beside(r.entries, "scan", p.scan.entries), nil
	}
	p.live = r
	return exit + cmp.Or(since(r.entries, "scan", p.scan.entries), "  as scan\n"), nil
}
