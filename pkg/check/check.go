package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Check is one question.
type Check struct {
	ID     string // "SD2001": never reused; the first digit is the area
	Slug   string // "cross-namespace-owner"
	Former string // the slug that it had before, which is still accepted; empty: none
	Title  string // the question as a fact that a finding asserts
	Since  string // release of sparkdoctor that introduced it

	// Consequence is what its findings mean to those who run jobs; a verdict begins with the worst.
	Consequence Consequence

	Needs    []snapshot.Need // views that Run may read, beside those of the facts that it requires: see AllNeeds
	Requires []Requirement   // shared facts, which Run is handed
	Absence  bool            // concludes from something not being there: not applicable to partial input
	Unscoped bool            // about the installation or its webhooks: never narrowed to namespaces or labels

	// Repairs are the kinds of intents that its findings may carry, each with nothing but the kinds of the objects it
	// concerns: what "rbac --for-fix" grants.
	Repairs []fix.Intent

	Gate
	Relations

	// Severity is what the user's configuration makes of its findings in reports; nil: as found.
	Severity *Severity

	Run func(*Pass) Answer

	// Page returns its page in Markdown, which "explain" prints: symptom, cause, what to do, how sure, sources.
	Page func() ([]byte, error)
}

// Gate is what a check has to do with an upgrade of the operator.
type Gate struct {
	// Break is the release that brought what a check of area 7 is about, or that makes worse what another one finds: asked of
	// an upgrade that does not bring it, the check is not applicable. Zero: any does, or its findings say so themselves.
	Break operator.Version
	// OfManifests says that it judges rendered manifests of what will be installed: without them it is not applicable.
	OfManifests bool
	// OfValues says that it judges Helm values: without them it is not applicable.
	OfValues bool
	// Worse says for a check of the other areas why what it finds must be mended before an upgrade; empty: a gate does not
	// ask it.
	Worse string
}

// Relations are how the findings of a check belong to each other and to those of others.
type Relations struct {
	// Breaks are the parts that its findings break, by which other checks are linked to them as effects.
	Breaks []Part
	// CausedBy are the findings of others that explain its own.
	CausedBy []Cause
	// Admission is the link of the chain by which pods are mutated that an error of the check breaks.
	Admission Link
	// Fold joins its findings that are one to the reader, beside those of one fingerprint and those that share something.
	Fold *Fold
}

// Answer is what a check found, how many of its subjects it judged, and which it could not judge for want of data, in words
// ("2 manifests take their namespace from a template expression"). The engine makes the status of it: see Result.conclude.
type Answer struct {
	Findings []Finding
	Judged   int
	Unjudged []string
	// NotApplicable says why there is nothing that the check could judge, however much is read: the build is a fork.
	NotApplicable string
	// Values are those of the target's chart that the user did not give, and that decide whether there is an error.
	Values []string
}

// DependsOn says that values of the target's chart decide about something, and that the user did not give them.
func (a *Answer) DependsOn(why string, values ...string) {
	for _, value := range values {
		if !slices.Contains(a.Values, value) {
			a.Values = append(a.Values, value)
		}
	}
	a.Unjudged = append(a.Unjudged, fmt.Sprintf("%s depends on %s: pass --helm-values or --target-manifests", why, strings.Join(values, ", ")))
}

// PassOver takes n subjects that cannot be judged, and why, out of those that were counted as judged. None need no reason.
func (a *Answer) PassOver(n int, why string) {
	if n > 0 {
		a.Judged, a.Unjudged = a.Judged-n, append(a.Unjudged, why)
	}
}
