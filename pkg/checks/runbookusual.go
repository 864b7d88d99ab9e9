package checks

import (
	"fmt"
	"slices"
)

// installer is what installs the operator, by the labels that Helm and GitOps tools set.
type installer struct {
	name, namespace string
	tool            string // that applies it from somewhere else, so that nobody runs helm upgrade; empty: none
}

// releaseOf reads it from the controller's Deployment; where there is none, the names are those of the chart's README.
func releaseOf(u *Upgrade) installer {
	if u.Installation == nil {
		return installer{name: "spark-operator", namespace: "spark-operator"}
	}
	in := u.Installation
	l := in.Controller.Labels
	r := installer{name: helmRelease(in), namespace: in.Namespace}
	for _, sign := range []struct{ label, tool string }{
		{"argocd.argoproj.io/instance", "Argo CD"}, {"helm.toolkit.fluxcd.io/name", "Flux"}, {"kustomize.toolkit.fluxcd.io/name", "Flux"},
	} {
		if l.Has(sign.label) {
			r.tool = sign.tool
		}
	}
	return r
}

// usual are the first and the last steps of every upgrade, in order.
func usual(u *Upgrade) (first, last []Task) {
	r, to := releaseOf(u), u.To.String()
	first = []Task{{
		When: Before, Do: "keep what is there now, to compare with", Because: "what is new afterwards came with the upgrade",
		Commands: []string{"kubectl sparkdoctor scan --fail-on none -o json=before.json", "kubectl sparkdoctor snapshot -o before.tar.gz"},
	}}
	if r.tool == "" {
		first = append(first, Task{
			When: Before, Do: "keep the values of the release", Because: "an upgrade without them goes back to the chart's defaults",
			Commands: nonEmpty(commandf("helm get values %s -n %s -o yaml > values.yaml", r.name, r.namespace)),
		})
	}
	if u.Target == nil {
		last = append(last, Task{
			When: Before, Do: "ask again with what will be installed", Because: "without rendered manifests only the chart's defaults are known",
			Commands: nonEmpty(
				"helm repo add --force-update spark-operator https://kubeflow.github.io/spark-operator",
				commandf("helm template %s spark-operator/spark-operator --version %s -n %s -f values.yaml --include-crds > target.yaml", r.name, to, r.namespace),
				askAgain(u),
			),
		})
	}
	last = append(last, rollout(r, to), Task{
		When: During, Do: "wait until controller and webhook have rolled out", Because: "until then the old release answers, or none",
		Commands: nonEmpty(commandf("kubectl rollout status deployment -n %s -l "+releaseLabel+"=%s --timeout 5m", r.namespace, r.name)),
	}, Task{
		When: After, Do: "see that nothing is wrong that was not before", Because: "certificates, roles and the first runs show only now",
		Commands: []string{"kubectl sparkdoctor scan --baseline before.json"},
	})
	return first, last
}

// crds is the step before the upgrade itself, unless findings ask for it.
func crds(u *Upgrade, findings []Task) []Task {
	if slices.ContainsFunc(findings, func(t Task) bool { return t.Check == crdsNotUpgradedID }) {
		return nil
	}
	step := applyCRDs(u)
	return []Task{{
		When: step.When, Do: step.Do, Because: "Helm creates CRDs and never changes them; an old one drops fields that the new operator reads", Commands: []string{step.Command},
	}}
}

// askAgain is this gate with rendered manifests: it says which operator is meant, and from which release where its Deployment
// does not.
func askAgain(u *Upgrade) string {
	const gate = "kubectl sparkdoctor gate --to %s --target-manifests target.yaml"
	from, to := u.From.String(), u.To.String()
	if u.Installation == nil {
		return commandf(gate+" --from %s", to, from)
	}
	controller := u.Installation.Controller
	if !u.Installation.Recognised {
		return commandf(gate+" --from %s --operator %s/%s", to, from, controller.Namespace, controller.Name)
	}
	return commandf(gate+" --operator %s/%s", to, controller.Namespace, controller.Name)
}

// rollout is the upgrade itself.
func rollout(r installer, to string) Task {
	if r.tool != "" {
		return Task{
			When: During, Do: fmt.Sprintf("set chart version %s where %s takes it from, and let it sync", to, r.tool),
			Because: r.tool + " applies the release, and takes back what anybody else changes",
		}
	}
	return Task{
		When: During, Do: "upgrade the release", Because: "controller and webhook roll to the new image",
		Commands: nonEmpty(commandf("helm upgrade %s spark-operator/spark-operator --version %s -n %s -f values.yaml", r.name, to, r.namespace)),
	}
}
