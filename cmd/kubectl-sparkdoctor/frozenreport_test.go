package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// name gives each finding the name of its check and object, which says more than its fingerprint.
func (r *reported) name() {
	r.names = map[string]string{}
	seen := map[string]int{}
	for _, i := range r.report.Items {
		r.names[i.Metadata.Name] = unique(seen, i.Check+" "+i.Object.String())
	}
}

// of are the names of findings.
func (r *reported) of(fingerprints []string) []string {
	var names []string
	for _, f := range fingerprints {
		names = append(names, cmp.Or(r.names[f], f))
	}
	return names
}

func (r *reported) item(fingerprint string) report.Item {
	for _, i := range r.report.Items {
		if i.Metadata.Name == fingerprint {
			return i
		}
	}
	return report.Item{}
}

// describe makes the entries of a report.
func (r *reported) describe(runbook bool) {
	if g := r.report.Gate; g != nil {
		r.gate(g, runbook)
	} else {
		r.cluster()
	}
	for _, i := range r.report.Items {
		r.entries = append(r.entries, r.finding(i))
	}
	r.entries = append(r.entries, unjudged(r.report.Checks)...)
}

// finding is everything that a report says of a finding, but for lines of files, UIDs and the place of its page.
func (r *reported) finding(i report.Item) entry {
	e := entry{name: r.names[i.Metadata.Name], says: parts(i.Severity, i.Certainty, i.Consequence)}
	e.add("field", i.Field)
	e.add("message", i.Message)
	e.add("hop", i.Hop)
	e.add("since", at(i.Since))
	for _, v := range i.Evidence {
		where := ""
		if v.Object.Key() != i.Object.Key() {
			where = v.Object.String() + " "
		}
		e.add("evidence", where+v.Field+" = "+cut(v.Value, 160))
	}
	for _, ref := range i.Related {
		e.add("related", ref.String())
	}
	if i.Affected != 1 {
		e.add("affected", fmt.Sprint(i.Affected))
	}
	for _, o := range i.Objects {
		e.add("object", parts(o.String(), o.Field))
	}
	e.add("causedBy", r.of(i.CausedBy)...)
	for _, f := range i.Fixes {
		e.add("fix", parts(fmt.Sprintf("%s, undo %s: %s", f.Risk, f.Undo, f.Title), f.Blocked))
	}
	e.next(i.Next)
	if s := i.Suppression; s != nil {
		e.add("suppressed", parts("by "+s.By, s.Reason, s.Owner, s.Until))
	}
	return e
}

// unjudged are the checks that could not read all that they need, together where they say the same.
func unjudged(checks []report.Check) []entry {
	var list []entry
	for _, c := range checks {
		if c.Status != "skipped" && c.Coverage == "complete" {
			continue
		}
		e := entry{name: "check " + c.ID, says: parts(c.Status, c.Coverage)}
		e.add("reason", c.Reason)
		for _, u := range c.Unseen {
			e.add("unseen", unseen(u))
		}
		list = joined(list, e, " "+c.ID)
	}
	return list
}

func unseen(u snapshot.Unseen) string {
	where := strings.TrimSuffix(u.Namespace+"/"+u.Name, "/")
	text := strings.TrimSpace(u.Verb+" "+u.Resource+" "+where) + ": " + u.Reason
	if u.Count != 0 {
		text += fmt.Sprintf(" (%d)", u.Count)
	}
	return text
}

// next adds steps and their commands under labels of their own: of files there are fewer commands than of a cluster.
func (e *entry) next(list []report.Next) {
	for _, n := range list {
		e.add("next", n.Text)
		e.add("command", n.Command)
	}
}

func parts(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), ", ")
}

func at(when *time.Time) string {
	if when == nil {
		return ""
	}
	return when.Format(time.RFC3339)
}
