package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// LabelRequired is a policy that refuses executors for a label that they lack. The driver's pod passed it: where that has the label, so
// could they. A policy that asks for anything else looks alike.
type LabelRequired struct {
	Policy string // its name, or that of the webhook
	Rule   string // of it; empty: not told
	Key    string // the label
	Driver string // its value at the driver; empty: it has none, or was not seen
	Set    string // its value in the spec of executors, which the policy does not accept; empty: it is not set
}

// Mechanism names it.
func (LabelRequired) Mechanism() cause.ID { return "label-required" }

var (
	// of Kyverno: the path in a pattern that does not match (pkg/engine/handlers/validation/validate_resource.go of
	// kyverno/kyverno@5bf23a8, buildErrorMessage)
	labelPath = lazyregexp.New(`failed at path /metadata/labels/([\w./-]*\w)/?`)
	// of the library of Gatekeeper (library/general/requiredlabels/template.yaml of open-policy-agent/gatekeeper-library@118c16f)
	labelsAsked = lazyregexp.New(`\[([\w.-]+)\] [Yy]ou must provide labels: \{\\?"([\w./-]+)\\?"`)
)

// LacksLabel reads which label a policy asks of executors that the API server did not let the driver create.
func LacksLabel(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	denied := known.Signature.ID == "kyverno-denied" || known.Signature.ID == "webhook-denied"
	if !is || !denied || about.Trust != cause.ByDriverLog || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	said := ""
	for _, t := range failed.Chain {
		if strings.Contains(t.Message, " denied the request:") {
			said = t.Message
			break
		}
	}
	ofPods := strings.HasPrefix(known.Groups["object"], "Pod/") || strings.Contains(said, "/pods. Message: ")
	if !ofPods {
		return cause.Cause{}, false
	}
	d := LabelRequired{Policy: known.Groups["policy"], Rule: known.Groups["rule"]}
	if m := labelPath.FindStringSubmatch(strings.Join(strings.Fields(said), " ")); m != nil {
		d.Key = m[1]
	} else if m := labelsAsked.FindStringSubmatch(said); m != nil {
		d.Policy, d.Key = m[1], m[2]
	} else {
		return cause.Cause{}, false
	}
	if d.Policy == "" {
		d.Policy = known.Groups["webhook"]
	}
	d.Set = v.Spec.Executor.Labels[d.Key]
	out := cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: cause.ExecutorRole, Subject: about.Subject, At: about.At,
		Trust: about.Trust}
	if v.Driver != nil && v.Driver.Labels[d.Key] != "" {
		d.Driver = v.Driver.Labels[d.Key]
		out.Evidence = []cause.Proof{{Object: Ref(v.Driver), Field: "metadata.labels[" + d.Key + "]", Value: d.Driver}}
	}
	out.Detail = d
	return out, true
}
