package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TurnedOff is whose field keeps a token from a pod.
type TurnedOff int

// The owners of the field.
const (
	OffUnsaid     TurnedOff = iota // neither, as they are now
	OffByTemplate                  // the template of the driver in the spec
	OffByPod                       // the pod, which the spec does not make so
	OffByAccount                   // the service account
)

// seen says who turned it off, by the fields of the pod and of its service account.
func (d *TokenUnmounted) seen(v *View) []cause.Proof {
	role := cause.DriverRole
	if v.IsConnect() {
		role = "server"
	}
	pod, account := v.Driver, accountNamed(v, d.Account)
	template := v.Spec.Role(string(role)).Template.Pod.AutomountServiceAccountToken
	switch {
	case isFalse(pod.Spec.AutomountServiceAccountToken):
		d.By = OffByPod
		out := []cause.Proof{{Object: Ref(pod), Field: "spec." + automount, Value: "false"}}
		if isFalse(template) {
			d.By = OffByTemplate
			return append(out, cause.Proof{Object: v.AppRef(), Field: "spec." + string(role) + ".template.spec." + automount, Value: "false"})
		}
		d.Policy = policyOf(pod.Annotations)
		d.OnPods = d.Policy != ""
		return append(out, byPolicy(Ref(pod), d.Policy)...)
	case pod.Spec.AutomountServiceAccountToken == nil && account != nil && isFalse(account.AutomountServiceAccountToken):
		d.By, d.Policy = OffByAccount, policyOf(account.Annotations)
		return append([]cause.Proof{{Object: accountRef(account), Field: automount, Value: "false"}}, byPolicy(accountRef(account), d.Policy)...)
	default:
		return nil
	}
}

func isFalse(flag *bool) bool { return flag != nil && !*flag }

// automounted matches a line of Kyverno about the field: the rule, the policy, and what it did. Behind a name that ends with "token", the
// verb is taken for a secret.
var automounted = lazyregexp.New(`(?m)^\s*[^.\n]+\.(\S+)\.kyverno\.io: (?:added|replaced|\[redacted\]) \S*/` + automount + `\s*$`)

// policyOf is the policy of Kyverno that set the field; empty: none says so.
func policyOf(annotations map[string]string) string {
	if m := automounted.FindStringSubmatch(annotations[snapshot.KyvernoAnnotation]); m != nil {
		return m[1]
	}
	return ""
}

func byPolicy(of snapshot.Ref, policy string) []cause.Proof {
	if policy == "" {
		return nil
	}
	return []cause.Proof{{Object: of, Field: "metadata.annotations[" + snapshot.KyvernoAnnotation + "]", Value: policy}}
}
