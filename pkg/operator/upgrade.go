package operator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Hops are the releases by which what an upgrade breaks is told, oldest first: the last of each minor release, and each that lets
// other things pass than the one before.
func Hops() []Version {
	var out []Version
	for i := range releases.Table().Facts {
		if f := &releases.Table().Facts[i]; f.Hop {
			out = append(out, f.Version)
		}
	}
	return out
}

// Path returns the hops of an upgrade in order; the last is the target. What a release changes belongs to the first hop
// that is not older. An error says which version cannot be judged, and why.
func Path(from, to Version) ([]Version, error) {
	switch {
	case !IsKnown(to) || to.Major < 2:
		return nil, fmt.Errorf("nothing is known of an upgrade to %s; known targets are %s", Name{Application: to}, list(Targets()))
	case !IsKnown(from):
		return nil, fmt.Errorf("nothing is known of an upgrade from %s; known are 1.x and %s", Name{Application: from}, list(Releases()))
	case from.Unreleased:
		return nil, fmt.Errorf("%s is no release, and nothing after it is known", NextText())
	case from == to:
		return nil, fmt.Errorf("%s is already installed", to)
	case from.Compare(to) > 0:
		return nil, fmt.Errorf("%s is older than %s, which is installed; only upgrades are judged", to, from)
	}
	path := slices.DeleteFunc(Hops(), func(v Version) bool { return v.Compare(from) <= 0 || v.Compare(to) >= 0 })
	return append(path, to), nil
}

// Reachable are the releases to which an upgrade can go, oldest first.
func Reachable(from Version) []Version {
	return slices.DeleteFunc(Releases(), func(v Version) bool { return v.Compare(from) <= 0 })
}

func list(versions []Version) string {
	words := make([]string, 0, len(versions))
	for _, v := range versions {
		words = append(words, v.String())
	}
	return strings.Join(words, ", ")
}

// NotesOf are those of an upgrade: what it brings, unless the target has it no more.
func NotesOf(from, to Version) []Note {
	var out []Note
	for _, n := range releases.Table().Notes {
		brings := n.Since.Compare(from) > 0 && n.Since.Compare(to) <= 0
		if brings && (n.Until.IsZero() || to.Compare(n.Until) < 0) {
			out = append(out, n)
		}
	}
	return out
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
