package check

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ServesPods reports whether a fault of admission concerns the pods of a finding's applications: it is of their
// namespace, or of the installation that reconciles them, whose Deployment the finding names.
func ServesPods(f, fault *Finding) bool {
	switch fault.Object.Kind {
	case "Namespace":
		return fault.Object.Name == f.Object.Namespace
	case "ValidatingWebhookConfiguration":
		return false
	}
	names := append([]snapshot.Ref{fault.Object}, fault.Related...)
	same := func(r, d snapshot.Ref) bool { return r.Key() == d.Key() }
	if !slices.ContainsFunc(names, func(r snapshot.Ref) bool { return r.Kind == "Deployment" }) {
		same = func(r, d snapshot.Ref) bool { return r.Namespace == d.Namespace } // no Deployment was seen behind it
	}
	return slices.ContainsFunc(f.Related, func(d snapshot.Ref) bool {
		return slices.ContainsFunc(names, func(r snapshot.Ref) bool { return same(r, d) })
	})
}

// Admission is the verdict on one job namespace: are its Spark pods mutated now, and if not, which link of the chain
// registration, selector, service, endpoints, certificate is broken.
type Admission struct {
	Namespace  string
	State      AdmissionState
	BrokenLink string
	CausedBy   string // fingerprint of the finding that says so
	Reason     string // why it is not known
}

// AdmissionState is a word of the report.
type AdmissionState string

const (
	AdmissionHealthy AdmissionState = "healthy"
	AdmissionBroken  AdmissionState = "broken"
	AdmissionUnknown AdmissionState = "unknown"
)

// AdmissionNotAsked is the reason where a selection of checks leaves out all that judge admission.
const AdmissionNotAsked = "no check of admission ran"

// Link is one of the chain by which pods are mutated, in the order in which a call passes them.
type Link int

const (
	LinkNone Link = iota
	LinkRegistration
	LinkSelector
	LinkService
	LinkCertificate
)

// String returns the word of the report.
func (l Link) String() string {
	return [...]string{"", "registration", "selector", "service", "certificate"}[l]
}

// chain returns the checks of a list that must all have looked before admission is called healthy, in the order in which a call
// passes what they judge.
func chain(list []Check) []Check {
	list = slices.DeleteFunc(slices.Clone(list), func(c Check) bool { return c.Admission == LinkNone })
	slices.SortStableFunc(list, func(a, b Check) int { return cmp.Compare(a.Admission, b.Admission) })
	return list
}

// Admissions judges every namespace that holds Spark applications, from the results of those checks of a list that judge admission:
// what was not asked is not healthy.
func Admissions(s *snapshot.Snapshot, results []Result, list []Check) []Admission {
	byID := map[string]Result{}
	for _, r := range results {
		byID[r.Check.ID] = r
	}
	installations, links := operator.Find(s.Deployments()), chain(list)
	asked := slices.ContainsFunc(links, func(c Check) bool { _, ran := byID[c.ID]; return ran })
	var out []Admission
	for _, ns := range jobNamespaces(s) {
		if !asked {
			out = append(out, Admission{Namespace: ns, State: AdmissionUnknown, Reason: AdmissionNotAsked})
			continue
		}
		out = append(out, admission(ns, operator.For(installations, ns), links, byID))
	}
	return out
}

func jobNamespaces(s *snapshot.Snapshot) []string {
	set := map[string]bool{}
	for _, a := range s.SparkApplications() {
		set[a.Namespace] = true
	}
	if s.Namespaces != nil {
		maps.DeleteFunc(set, func(ns string, _ bool) bool { return !slices.Contains(s.Namespaces, ns) })
	}
	return slices.Sorted(maps.Keys(set))
}

func admission(ns string, in *operator.Installation, links []Check, results map[string]Result) Admission {
	a := Admission{Namespace: ns, State: AdmissionHealthy}
	switch {
	case in == nil:
		return Admission{Namespace: ns, State: AdmissionUnknown, Reason: "no installation was seen that watches it"}
	case in.Webhook == nil:
		return Admission{Namespace: ns, State: AdmissionUnknown, Reason: "its installation runs no webhook"}
	}
	for _, step := range links {
		r, asked := results[step.ID]
		for i := range r.Findings {
			f := &r.Findings[i]
			switch {
			case !breaks(f, ns, in):
			case f.Certainty == Proven:
				return Admission{Namespace: ns, State: AdmissionBroken, BrokenLink: linkOf(f, step.Admission), CausedBy: f.Fingerprint()}
			case a.State == AdmissionHealthy:
				a.State, a.Reason = AdmissionUnknown, step.ID+" finds it likely that the "+linkOf(f, step.Admission)+" is broken"
			}
		}
		// A check that passed with a reason left something unjudged.
		looked := asked && r.Status.judged() && !needsMore(r) && r.Reason == ""
		if !looked && a.State == AdmissionHealthy {
			a.State, a.Reason = AdmissionUnknown, step.ID+" could not tell: "+cmp.Or(r.Reason, unseenReason(r), "it was not asked")
		}
	}
	return a
}

// needsMore reports whether something was not seen that a check judges by. A log only adds to what it says.
func needsMore(r Result) bool {
	return r.Partial && slices.ContainsFunc(r.Unseen, func(u snapshot.Unseen) bool { return u.Resource != snapshot.PodLogs })
}

func unseenReason(r Result) string {
	if len(r.Unseen) == 0 {
		return ""
	}
	u := r.Unseen[0]
	return "could not " + u.Verb + " " + u.Resource + ": " + u.Reason
}

// breaks reports whether a finding is an error about the installation that serves a namespace, or says that the
// webhook does not see the namespace: its pods are then not mutated, needed or not.
func breaks(f *Reported, ns string, in *operator.Installation) bool {
	key := f.Object.Key()
	switch {
	case f.Object.Kind == "Namespace":
		return f.Object.Name == ns && f.Severity >= Warning
	case f.Severity != Error:
		return false
	case in.Webhook != nil && key == in.Webhook.Key():
		return true
	default:
		return key == in.Registration(true) || key == in.WebhookSecret()
	}
}

// linkOf tells a missing Service from one without endpoints by what the finding misses.
func linkOf(f *Reported, link Link) string {
	if slices.ContainsFunc(f.Absent, func(a Absent) bool { return a.View == snapshot.WebhookEndpoints }) {
		return "endpoints"
	}
	return link.String()
}
