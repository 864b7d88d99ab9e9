package checks

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

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
			case f.Check == webhookUnreachableID && r.Check.ID == operatorUnhealthyID:
				if other.What == notReadyWhat && slices.ContainsFunc(f.Related, func(r snapshot.Ref) bool { return r.Key() == other.Object.Key() }) {
					out = append(out, other)
				}
			case f.Check == operatorUnhealthyID && r.Check.ID == knownDefectsID:
				if other.Severity == Error && other.Object.Key() == f.Object.Key() && slices.Contains(endsController(), other.What) {
					out = append(out, other)
				}
			case f.Check == stuckFinalizerID && (r.Check.ID == stuckFinalizerID || isBrokenPath(r.Check.ID)):
				if other.Object != f.Object && slices.Contains(f.Related, other.Object) {
					out = append(out, other)
				}
			case f.Check == unmutatedPodID && f.What != droppedEnvWhat && letsThrough(r.Check.ID):
				if missesPods(f, other) {
					out = append(out, other)
				}
			case f.Check == operatorUnhealthyID && isOneOf(r.Check.ID, undecodableID, controllerPermissionID, connectMissingID):
				if other.Object.Key() == f.Object.Key() || other.names(f.Object) {
					out = append(out, other)
				}
			case movesNoFurther(f.Check):
				if holdsUp(f, other) {
					out = append(out, other)
				}
			case f.Check == duplicateID && r.Check.ID == twoOperatorsID:
				if slices.ContainsFunc(f.Related, other.isAbout) {
					out = append(out, other)
				}
			case f.Check == orphanExecutorID && r.Check.ID == duplicateID:
				if f.Object.Namespace == other.Object.Namespace && f.App == other.App {
					out = append(out, other)
				}
			case f.Check == scheduleStoppedID || f.Check == finishedPileUpID:
				if keepsFromActing(f, other) {
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
	names := append([]snapshot.Ref{fault.Object}, fault.Related...)
	same := func(r, d snapshot.Ref) bool { return r.Key() == d.Key() }
	if !slices.ContainsFunc(names, func(r snapshot.Ref) bool { return r.Kind == "Deployment" }) {
		same = func(r, d snapshot.Ref) bool { return r.Namespace == d.Namespace } // nobody was seen behind it
	}
	return slices.ContainsFunc(unmutated.Related, func(d snapshot.Ref) bool {
		return slices.ContainsFunc(names, func(r snapshot.Ref) bool { return same(r, d) })
	})
}

// submittedBy reports whether an owner, "Workflow/name", is a workflow or was made from a template: Argo appends a
// dash and a suffix to the template's name.
func submittedBy(owner string, source snapshot.Ref) bool {
	name, isWorkflow := strings.CutPrefix(owner, "Workflow/")
	return isWorkflow && (name == source.Name || source.Kind != "Workflow" && strings.HasPrefix(name, source.Name+"-"))
}
