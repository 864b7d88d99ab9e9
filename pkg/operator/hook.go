package operator

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// HookFacts say what the hook of a release's chart does that applies CRDs.
type HookFacts struct {
	Creates bool // its role allows it to create CRDs
	Forces  bool // it takes over the fields that others own
}

// HookOf returns those of a release; without a hook, what no release gets wrong.
func HookOf(v Version) HookFacts {
	chart := releases.Of(v).Chart
	if !chart.UpgradesCRDs {
		return HookFacts{Creates: true, Forces: true}
	}
	return HookFacts{Creates: chart.HookCreates, Forces: chart.HookForces}
}

// HookJob is the Job with which charts from 2.3.0 on apply the CRDs before an upgrade, if hook.upgradeCrd asks for it. Helm deletes it when
// it succeeded (charts/spark-operator-chart/templates/hook/{_helpers.tpl,job.yaml}@v2.3.0 to @v2.5.2). Zero where Helm's names are not
// known: in 1.x.
func (in *Installation) HookJob() snapshot.Key {
	if in.Legacy() {
		return snapshot.Key{}
	}
	return snapshot.Key{GroupKind: snapshot.GroupKind{Group: "batch", Kind: "Job"}, Namespace: in.Namespace, Name: in.Name + "-hook"}
}

// WebhookRelease is what the Deployment of the webhook states, which is a release of its own while an upgrade is half done. known is
// false where it has no Deployment of its own, or states none.
func (in *Installation) WebhookRelease() (stated Version, known bool) {
	if in.Webhook == nil || in.Controller == nil || in.Webhook.Key() == in.Controller.Key() {
		return Version{}, false
	}
	w := Installation{Webhook: in.Webhook}
	w.setVersion()
	return w.Version, !w.Version.IsZero()
}

// ReleaseOfChart is what an object of the operator's chart is labelled with.
func ReleaseOfChart(o *snapshot.Object) (v Version, known bool) {
	d := snapshot.Deployment{Object: *o}
	in := Installation{Controller: &d}
	in.setVersion()
	return in.Version, !in.Version.IsZero()
}
