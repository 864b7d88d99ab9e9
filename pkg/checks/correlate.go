package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Correlate looks at the findings of all checks together. It is the only place that changes a finding because of
// another one: it folds findings that are one to the reader and links causes.
func Correlate(results []Result) []Result {
	out := slices.Clone(results)
	for i := range out {
		out[i].Findings = fold(out[i].Findings)
		if out[i].Check.ID == ownerMissingID {
			out[i].Findings = foldUncollected(out[i].Findings)
		}
	}
	link(out)
	raise(out)
	return out
}

// raise makes an open webhook an error while calls of it fail: pods are being admitted unmutated now.
func raise(results []Result) {
	for i, r := range results {
		if r.Check.ID != webhookFailsOpenID {
			continue
		}
		for j := range r.Findings {
			if f := &results[i].Findings[j]; f.Severity == Warning && slices.ContainsFunc(causesOf(f, results), breaksCalls) {
				f.Severity = Error
			}
		}
	}
	raiseDrift(results)
}

// raiseDrift makes a Secret or caBundle that another manager owns an error where it is wrong now.
func raiseDrift(results []Result) {
	broken := map[string]bool{} // fingerprints of the drift behind it
	for _, r := range results {
		for _, f := range r.Findings {
			for _, cause := range f.CausedBy {
				broken[cause] = broken[cause] || breaksCalls(f) && f.Check != webhookFailsOpenID
			}
		}
	}
	for i := range results {
		for j := range results[i].Findings {
			if f := &results[i].Findings[j]; f.Check == webhookSecretDriftID && broken[f.Fingerprint()] {
				f.Severity = Error
			}
		}
	}
}

// breaksCalls reports whether calls of a webhook fail because of a finding. A certificate that is about to expire still works.
func breaksCalls(f Finding) bool { return f.Severity == Error && isBrokenPath(f.Check) }

// isBrokenPath names the checks of what is between the API server and the webhook.
func isBrokenPath(id string) bool {
	return slices.Contains([]string{webhookUnreachableID, webhookCAMismatchID, webhookCertInvalidID, replicasDivergeID}, id)
}

// fold joins findings with one fingerprint: executors of an application that hang for one reason, say.
func fold(list []Finding) []Finding {
	at := map[string]int{}
	var out []Finding
	for _, f := range list {
		key := f.Fingerprint()
		i, seen := at[key]
		if !seen {
			at[key] = len(out)
			out = append(out, f)
			continue
		}
		out[i].absorb(f)
	}
	return out
}

// absorb adds the object of another finding to this one.
func (f *Finding) absorb(other Finding) {
	if len(f.Objects) == 0 {
		f.Objects = []snapshot.Ref{f.Object}
	}
	if !slices.ContainsFunc(f.Objects, func(r snapshot.Ref) bool { return r.Key() == other.Object.Key() }) {
		f.Objects = append(f.Objects, other.Object)
	}
}

// foldUncollected joins what a live garbage collector should have taken and did not: that is one fault, of the
// collector, however many objects it left.
func foldUncollected(list []Finding) []Finding {
	var out []Finding
	first := -1
	for _, f := range list {
		switch {
		case f.Settles == 0 || f.Severity != Error:
			out = append(out, f)
		case first < 0:
			first = len(out)
			out = append(out, f)
		default:
			out[first].absorb(f)
		}
	}
	if first >= 0 && len(out[first].Objects) > 1 {
		f := &out[first]
		f.Message = fmt.Sprintf("the garbage collector does not collect: %d objects whose owner is gone were still there %s later, such as %s", len(f.Objects), f.Settles, f.Object)
		f.What = "garbage-collector"
	}
	return out
}

// link names causes: what holds the dependent that a deletion waits for, and the template behind a deletion.
func link(results []Result) {
	for _, r := range results {
		for i := range r.Findings {
			f := &r.Findings[i]
			for _, cause := range causesOf(f, results) {
				if name := cause.Fingerprint(); !slices.Contains(f.CausedBy, name) {
					f.CausedBy = append(f.CausedBy, name)
				}
			}
		}
	}
}

func causesOf(f *Finding, results []Result) []Finding {
	var out []Finding
	for _, r := range results {
		for _, other := range r.Findings {
			switch {
			case f.Check == webhookFailsOpenID && (isBrokenPath(r.Check.ID) || r.Check.ID == webhookStaleConfigID):
				if sharesPath(f, other) {
					out = append(out, other)
				}
			case (f.Check == webhookCAMismatchID || f.Check == webhookCertInvalidID) && r.Check.ID == webhookSecretDriftID:
				if other.Object.Key() == f.Object.Key() {
					out = append(out, other)
				}
			case f.Check == stuckFinalizerID && (r.Check.ID == stuckFinalizerID || isBrokenPath(r.Check.ID)):
				if other.Object != f.Object && slices.Contains(f.Related, other.Object) {
					out = append(out, other)
				}
			case f.Check == unmutatedPodID && letsThrough(r.Check.ID):
				if missesPods(f, other) {
					out = append(out, other)
				}
			case f.Check == deletedAcrossID && r.Check.ID == workflowOwnsID:
				if submittedBy(f.What, other.Object) {
					out = append(out, other)
				}
			}
		}
	}
	return out
}

// sharesPath reports whether a finding is about the path of a webhook configuration: the configuration itself, or the
// Secret or Deployment behind it. Another configuration may have the same path with other faults.
func sharesPath(open *Finding, other Finding) bool {
	if strings.HasSuffix(other.Object.Kind, "WebhookConfiguration") {
		return other.Object.Key() == open.Object.Key()
	}
	own := append([]snapshot.Ref{open.Object}, open.Related...)
	return slices.ContainsFunc(append([]snapshot.Ref{other.Object}, other.Related...), func(r snapshot.Ref) bool {
		return slices.ContainsFunc(own, func(o snapshot.Ref) bool { return o.Key() == r.Key() })
	})
}

// letsThrough reports whether a check is about what lets pods through unmutated: the path of the webhook, its policy, its
// registration, or a namespace that it skips.
func letsThrough(id string) bool {
	return isBrokenPath(id) || slices.Contains([]string{webhookFailsOpenID, webhookSkipsNamespaceID, webhookMissingID}, id)
}

// missesPods reports whether a fault of admission concerns the pods of an unmutated application: it is of their
// namespace, or of the installation that reconciles them, whose Deployment the finding names.
func missesPods(unmutated *Finding, fault Finding) bool {
	switch fault.Object.Kind {
	case "Namespace":
		return fault.Object.Name == unmutated.Object.Namespace
	case "ValidatingWebhookConfiguration":
		return false
	}
	return slices.ContainsFunc(unmutated.Related, func(d snapshot.Ref) bool {
		return slices.ContainsFunc(append([]snapshot.Ref{fault.Object}, fault.Related...), func(r snapshot.Ref) bool { return r.Namespace == d.Namespace })
	})
}

// submittedBy reports whether an owner, "Workflow/name", is a workflow or was made from a template: Argo appends a
// dash and a suffix to the template's name.
func submittedBy(owner string, source snapshot.Ref) bool {
	name, isWorkflow := strings.CutPrefix(owner, "Workflow/")
	return isWorkflow && (name == source.Name || source.Kind != "Workflow" && strings.HasPrefix(name, source.Name+"-"))
}

// The checks that Correlate knows by id.
const (
	webhookFailsOpenID   = "SD1001"
	webhookUnreachableID = "SD1002"
	webhookCAMismatchID  = "SD1003"
	webhookCertInvalidID = "SD1004"
	replicasDivergeID    = "SD1005"
	webhookSecretDriftID = "SD1006"
	webhookStaleConfigID = "SD1009"

	webhookSkipsNamespaceID = "SD1007"
	webhookMissingID        = "SD1008"

	ownerMissingID   = "SD2002"
	deletedAcrossID  = "SD2003"
	workflowOwnsID   = "SD2004"
	stuckFinalizerID = "SD2005"
)
