package html

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// pageNamespace is a row: what counts in a namespace, and whether its Spark pods are mutated.
type pageNamespace struct {
	Name, Place          string // Place: number in the filter, empty where nothing was found
	Error, Warning, Info int
	Checks               []string // of the findings that count
	State, Class, Why    string
	Cause                string // anchor of the finding that says so
	Admission            bool   // the column is there

	key string
}

// shownNamespaces bounds the rows that are not folded.
const shownNamespaces = 30

// pageNamespaces is the table; Admission is false where a gate does not ask.
type pageNamespaces struct {
	Shown, Folded []pageNamespace
	Admission     bool
}

// namespacesOf has a row for each namespace that holds applications or findings, the worst first.
func namespacesOf(r *report.Report, places *choices) *pageNamespaces {
	var rows []pageNamespace
	at := map[string]int{}
	row := func(label string) *pageNamespace {
		if _, seen := at[label]; !seen {
			at[label] = len(rows)
			rows = append(rows, pageNamespace{Name: report.Escape(label), key: label})
		}
		return &rows[at[label]]
	}
	admission := r.Gate == nil && len(r.Namespaces) > 0
	for i := 0; admission && i < len(r.Namespaces); i++ {
		row(r.Namespaces[i].Label()).admit(&r.Namespaces[i], r)
	}
	for i := range r.Items {
		for _, label := range r.Items[i].InPlaces() {
			row(label).count(&r.Items[i])
		}
	}
	slices.SortStableFunc(rows, func(a, b pageNamespace) int {
		return cmp.Or(cmp.Compare(b.Error, a.Error), cmp.Compare(b.Warning, a.Warning), cmp.Compare(b.Info, a.Info), cmp.Compare(a.key, b.key))
	})
	for i := range rows {
		rows[i].Admission, rows[i].Place = admission, places.known(rows[i].key)
		slices.Sort(rows[i].Checks)
	}
	n := min(len(rows), shownNamespaces)
	return &pageNamespaces{Shown: rows[:n], Folded: rows[n:], Admission: admission}
}

func (n *pageNamespace) count(item *report.Item) {
	if !item.Judged() {
		return
	}
	switch item.Severity {
	case check.Error.String():
		n.Error++
	case check.Warning.String():
		n.Warning++
	default:
		n.Info++
	}
	if !slices.Contains(n.Checks, item.Check) {
		n.Checks = append(n.Checks, item.Check)
	}
}

func (n *pageNamespace) admit(ns *report.Namespace, r *report.Report) {
	n.State = report.Escape(ns.Admission.State)
	n.Class = map[string]string{string(check.AdmissionHealthy): "good", string(check.AdmissionBroken): "error"}[ns.Admission.State]
	n.Why = report.Escape(ns.Admission.Reason)
	if ns.Admission.BrokenLink != "" {
		n.Why = brokenText(ns.Admission.BrokenLink)
	}
	for i := range r.Items { // of a finding that is shown
		if item := &r.Items[i]; item.Metadata.Name == ns.Admission.CausedBy && item.Cluster() == ns.Source {
			n.Cause = anchorOf(item)
		}
	}
}

// Reasons are why admission is broken or unknown, each once, with the namespaces that it is about.
func (p *pageNamespaces) Reasons() []pageReason {
	var out []pageReason
	for _, n := range slices.Concat(p.Shown, p.Folded) {
		if n.Why == "" {
			continue
		}
		i := slices.IndexFunc(out, func(one pageReason) bool { return one.Why == n.Why && one.Class == n.Class })
		if i < 0 {
			out, i = append(out, pageReason{State: n.State, Class: n.Class, Why: n.Why, Cause: n.Cause}), len(out)
		}
		out[i].Names = append(out[i].Names, n.Name)
	}
	return out
}

type pageReason struct {
	State, Class, Why, Cause string
	Names                    []string
}

// Where names few namespaces and counts many.
func (p pageReason) Where() string {
	if len(p.Names) == 1 {
		return p.Names[0]
	}
	return phrase.Counted(len(p.Names), "namespace")
}

// brokenText says what is broken between the API server and the webhook.
func brokenText(link string) string {
	switch link {
	case "registration":
		return "no webhook is registered for its pods"
	case "selector":
		return "the webhook's selector leaves it out"
	case "service":
		return "the webhook's Service cannot be reached"
	case "endpoints":
		return "the webhook's Service has no ready endpoint"
	case "certificate":
		return "the API server does not accept the webhook's certificate"
	default: // of a report that another build wrote
		return "broken: " + report.Escape(link)
	}
}
