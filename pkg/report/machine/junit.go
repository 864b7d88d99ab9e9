package machine

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// JUnit writes a test suite a check: a failed test for every finding, a passed one where there is none, and a skipped
// one for what could not be looked at. A finding below the severity that fails the run is a passed test with output,
// so that the test report and the exit code agree; so is one that the baseline has.
func JUnit(w io.Writer, r *report.Report, failOn string) error {
	root := junitSuites{Name: "kubectl sparkdoctor"}
	if cases := admissionCases(r); len(cases) > 0 {
		root.add(junitSuite{Name: "admission", Cases: cases}, r)
	}
	if r.Gate != nil {
		root.add(junitSuite{Name: "upgrade " + report.Escape(r.Gate.Title()), Cases: []junitCase{gateCase(r.Gate)}}, r)
	}
	if cases := unreadableCases(r); len(cases) > 0 {
		root.add(junitSuite{Name: "input", Cases: cases}, r)
	}
	byCheck := map[[2]string][]report.Item{}
	for _, item := range r.Items {
		at := [2]string{item.Check, item.Cluster()}
		byCheck[at] = append(byCheck[at], item)
	}
	for _, c := range r.Checks {
		suite := junitSuite{Name: c.Label() + " " + c.Slug}
		named := map[string]bool{}
		for _, item := range byCheck[[2]string{c.ID, c.Source}] {
			one := findingCase(item, cmp.Or(failOn, "error"), r.HopOf(&item))
			if named[one.Name] {
				one.Name += " " + item.Metadata.Name
			}
			named[one.Name] = true
			suite.Cases = append(suite.Cases, one)
		}
		suite.Cases = append(suite.Cases, coverageCases(c)...)
		root.add(suite, r)
	}
	if len(root.Suites) > 0 {
		root.Suites[0].Properties = properties(r) // only suites may have some
	}
	return writeXML(w, root)
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Skipped *junitSkipped `xml:"skipped,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

func (s *junitSuites) add(suite junitSuite, r *report.Report) {
	suite.Timestamp = r.Metadata.CreationTimestamp.UTC().Format("2006-01-02T15:04:05")
	for _, c := range suite.Cases {
		suite.Tests++
		switch {
		case c.Failure != nil:
			suite.Failures++
		case c.Skipped != nil:
			suite.Skipped++
		}
	}
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Skipped += suite.Skipped
	s.Suites = append(s.Suites, suite)
}

// findingCase is one finding.
func findingCase(item report.Item, failOn, hop string) junitCase {
	name := item.Subject()
	if item.Field != "" {
		name += " " + item.Field
	}
	c := junitCase{Class: item.Check + "." + item.Slug, Name: report.Escape(name)}
	if file, line := item.FilePlace(); file != "" {
		c.File, c.Line = report.Escape(file), line
	}
	text := item.Severity + ", " + item.Certainty + ": " + report.Escape(item.Message+item.Aside())
	if hop != "" {
		text = "hop " + report.Escape(hop) + ", " + text
	}
	if item.Word() == report.UnchangedWord {
		text = "unchanged since the baseline, " + text
	}
	var detail strings.Builder
	detail.WriteString(text + "\n")
	for _, e := range item.Evidence {
		detail.WriteString(report.Escape(fmt.Sprintf("%s %s: %s", e.Object, e.Field, e.Value)) + "\n")
	}
	for _, o := range item.Objects {
		detail.WriteString("affects " + report.Escape(report.Display(o.Ref)) + "\n")
	}
	for _, n := range item.Next {
		detail.WriteString(report.Escape(strings.TrimSuffix("next: "+n.Text+": "+n.Command, ": ")) + "\n")
	}
	for _, f := range item.Fixes {
		detail.WriteString("fix: " + report.Escape(f.Text()) + "\n")
	}
	detail.WriteString("finding " + item.Metadata.Name + ", " + item.Docs + "\n")
	if item.Suppression != nil {
		c.Skipped = &junitSkipped{report.Escape(item.Suppression.Text())}
		return c
	}
	if item.Judged() && failOn != "none" && report.Rank(item.Severity) <= report.Rank(failOn) {
		c.Failure = &junitFailure{Message: text, Type: item.Severity, Text: detail.String()}
	} else {
		c.Output = detail.String()
	}
	return c
}

// coverageCases say how a check ended that found nothing, and what it could not see.
func coverageCases(c report.Check) []junitCase {
	class := c.ID + "." + c.Slug
	word, reason := report.LimitOf(c)
	var out []junitCase
	judged := c.Status == check.Passed.String() || c.Status == check.Failed.String()
	if judged && c.Findings == 0 {
		out = append(out, junitCase{Class: class, Name: "no finding"})
	}
	if word != "" {
		out = append(out, junitCase{Class: class, Name: strings.ToLower(word), Skipped: &junitSkipped{report.Escape(reason)}})
	}
	return out
}

// admissionCases are the verdicts on the namespaces. A broken one is no failure of its own: the finding behind it is.
func admissionCases(r *report.Report) []junitCase {
	var out []junitCase
	for _, ns := range r.Namespaces {
		c := junitCase{Class: "admission", Name: report.Escape(ns.Label())}
		switch check.AdmissionState(ns.Admission.State) {
		case check.AdmissionBroken:
			c.Output = "broken: " + report.Escape(ns.Admission.BrokenLink) + ", caused by " + report.Escape(ns.Admission.CausedBy) + "\n"
		case check.AdmissionUnknown:
			c.Skipped = &junitSkipped{"unknown: " + report.Escape(ns.Admission.Reason)}
		default:
			c.Output = "healthy\n"
		}
		out = append(out, c)
	}
	return out
}

func properties(r *report.Report) []junitProperty {
	var out []junitProperty
	if g := r.Gate; g != nil {
		out = append(out, junitProperty{"verdict", g.Verdict}, junitProperty{"because", report.Escape(g.Because)})
	}
	for _, line := range r.Lines() {
		out = append(out, junitProperty{"verdict", report.Escape(line)})
	}
	out = append(out, []junitProperty{{"result", r.Headline()}, {"complete", fmt.Sprint(!r.Incomplete())}}...)
	for _, text := range r.BrokenLinks() {
		out = append(out, junitProperty{"admission", "broken: " + report.Escape(text)})
	}
	for _, f := range r.Facts() {
		out = append(out, junitProperty{f.Label, report.Escape(f.Text)})
	}
	return out
}

func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// unreadableCases are a failed test for every file that could not be read.
func unreadableCases(r *report.Report) []junitCase {
	var out []junitCase
	for _, s := range r.Sources {
		for _, text := range s.Unreadable {
			out = append(out, junitCase{Class: "input", Name: report.Escape(text),
				Failure: &junitFailure{Message: "not read: " + report.Escape(text), Type: "input"}})
		}
	}
	return out
}
