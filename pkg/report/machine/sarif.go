package machine

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// homepage is where the project lives.
const homepage = "https://github.com/sparkdoctor/kubectl-sparkdoctor"

// SARIF writes a log of the Static Analysis Results Interchange Format 2.1.0. The rules are the selected checks, and each finding is a
// result; nothing but what could not be looked at is a notification of the invocation. The verdict is a property of the run.
func SARIF(w io.Writer, r *report.Report) error {
	return report.EncodeJSON(w, sarifLog{
		Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{sarifRunOf(r)},
	}, "  ")
}

func sarifRunOf(r *report.Report) sarifRun {
	index := map[string]int{}
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "kubectl-sparkdoctor", InformationURI: homepage, Version: r.Tool.Version, Rules: []sarifRule{},
		}},
		Invocations: []sarifInvocation{{Successful: true, EndTime: r.Metadata.CreationTimestamp.UTC().Format("2006-01-02T15:04:05Z"),
			Notifications: []sarifNotification{}}},
		Results: []sarifResult{}, ColumnKind: "utf16CodeUnits",
		Properties: map[string]any{"summary": r.Summary, "namespaces": r.Namespaces, "complete": !r.Incomplete()},
	}
	for _, c := range r.Checks {
		if _, known := index[c.ID]; !known {
			index[c.ID] = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(c))
		}
	}
	for i := range r.Items {
		for _, o := range r.Items[i].Places() {
			run.Results = append(run.Results, sarifResultOf(r, &r.Items[i], &o, index[r.Items[i].Check]))
		}
	}
	notes := &run.Invocations[0].Notifications
	if g := r.Gate; g != nil {
		run.Properties["gate"] = g
	}
	if v := r.Verdict; v != nil {
		run.Properties["verdict"] = v
	}
	for _, f := range r.NotRead() {
		*notes = append(*notes, sarifNotification{Level: "warning", Message: sarifMessage(f.Label + ": " + f.Text)})
	}
	for _, c := range r.Checks {
		word, reason := report.LimitOf(c)
		if word == "" {
			continue
		}
		level := "note"
		if word == "SKIPPED" || word == "PARTIAL" {
			level = "warning"
		}
		*notes = append(*notes, sarifNotification{
			Level: level, Message: sarifMessage(strings.ToLower(word) + ": " + reason), Rule: &sarifRuleRef{c.ID, index[c.ID]},
		})
	}
	return run
}

func sarifRuleOf(c report.Check) sarifRule {
	rule := sarifRule{ID: c.ID, Name: c.Slug, Short: sarifText{report.Escape(c.Title)}, HelpURI: checks.PageURL(c.ID)}
	if page, err := checks.Docs(c.ID); err == nil {
		rule.Help = &sarifHelp{Text: "See " + rule.HelpURI, Markdown: string(page)} // the standard wants a text beside it
	}
	return rule
}

// sarifResultOf is what a finding says of one of its objects. The first one is the finding to those who follow it by its fingerprint.
func sarifResultOf(r *report.Report, item *report.Item, o *report.Affected, rule int) sarifResult {
	level := item.Severity
	if level == check.Info.String() {
		level = "note"
	}
	result := sarifResult{
		RuleID: item.Check, RuleIndex: rule, Level: level, Message: sarifMessage(item.Named(o.Ref) + ": " + r.Lead(item) + item.Message),
		Fingerprints: map[string]string{"sparkdoctorFinding/v1": item.QualifiedName()},
		Locations:    []sarifLocation{{Logical: []sarifLogical{logical(o.Ref, item.Cluster())}}},
		Properties: map[string]any{
			"certainty": item.Certainty, "affected": item.Affected, "field": report.Escape(o.Field), "evidence": evidenceTexts(item),
		},
	}
	if len(item.Next) > 0 {
		result.Properties["next"] = nextTexts(item)
	}
	if w := item.Suppression; w != nil {
		kind := map[string]string{string(check.ByAnnotation): "inSource"}[w.By]
		result.Suppressions = []sarifSuppression{{Kind: cmp.Or(kind, "external"), Status: "accepted", Justification: report.Escape(w.Text())}}
	}
	if item.Baseline != nil {
		result.BaselineState = report.ClassNew
		if item.Baseline.Class == report.ClassUnchanged {
			result.BaselineState = report.ClassUnchanged
		}
	}
	if o.Key() != item.Object.Key() {
		result.Fingerprints["sparkdoctorFinding/v1"] += " " + report.Escape(o.String())
	}
	if at := o.Location; at != nil && at.File != "" {
		result.Locations[0].Physical = &sarifPhysical{Artifact: sarifArtifact{fileURI(at.File)}, Region: sarifRegion{o.Line()}}
	}
	return result
}

// sarifMessage is a plain text: braces would begin a placeholder, and brackets before a parenthesis a link (SARIF 2.1.0,
// 3.11.5 and 3.11.6).
func sarifMessage(s string) sarifText {
	return sarifText{strings.NewReplacer("](", "] (", "{", "{{", "}", "}}").Replace(report.Escape(s))}
}

func logical(o snapshot.Ref, cluster string) sarifLogical {
	name := o.Name
	full := strings.ToLower(o.Kind) + "/" + name
	if o.Namespace != "" {
		full = o.Namespace + "/" + full
	}
	if cluster != "" {
		full = cluster + "/" + full
	}
	return sarifLogical{Name: report.Escape(name), FullyQualified: report.Escape(full), Kind: "resource"}
}

func evidenceTexts(item *report.Item) []string {
	out := []string{}
	for _, e := range item.Evidence {
		out = append(out, report.Escape(fmt.Sprintf("%s %s: %s", e.Object, e.Field, e.Value)))
	}
	return out
}

// nextTexts are what to do, each with its command behind it.
func nextTexts(item *report.Item) []string {
	out := []string{}
	for _, n := range item.Next {
		out = append(out, report.Escape(strings.TrimSuffix(n.Text+": "+n.Command, ": ")))
	}
	return out
}

// fileURI is a path as a URI reference: relative paths stay relative, so that code scanning finds them in the repository.
func fileURI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme, u.Path = "file", "/"+strings.TrimPrefix(u.Path, "/")
	}
	return u.String()
}
