package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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
	release, namespace := shellWord(r.name), shellWord(r.namespace)
	first = []Task{{
		When: Before, Do: "keep what is there now, to compare with", Because: "what is new afterwards came with the upgrade",
		Commands: []string{"kubectl sparkdoctor scan --fail-on none -o json=before.json", "kubectl sparkdoctor snapshot -o before.tar.gz"},
	}}
	if r.tool == "" {
		first = append(first, Task{
			When: Before, Do: "keep the values of the release", Because: "an upgrade without them goes back to the chart's defaults",
			Commands: []string{fmt.Sprintf("helm get values %s -n %s -o yaml > values.yaml", release, namespace)},
		})
	}
	if u.Target == nil {
		last = append(last, Task{
			When: Before, Do: "ask again with what will be installed", Because: "without rendered manifests only the chart's defaults are known",
			Commands: []string{
				"helm repo add --force-update spark-operator https://kubeflow.github.io/spark-operator",
				fmt.Sprintf("helm template %s spark-operator/spark-operator --version %s -n %s -f values.yaml --include-crds > target.yaml", release, to, namespace),
				fmt.Sprintf("kubectl sparkdoctor gate --to %s --target-manifests target.yaml%s", to, named(u)),
			},
		})
	}
	last = append(last, rollout(r, release, namespace, to), Task{
		When: During, Do: "wait until controller and webhook have rolled out", Because: "until then the old release answers, or none",
		Commands: []string{fmt.Sprintf("kubectl rollout status deployment -n %s -l %s --timeout 5m", namespace, shellWord(releaseLabel+"="+r.name))},
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

// named is the flag that says which operator is meant, and from which release where its Deployment does not.
func named(u *Upgrade) string {
	switch in := u.Installation; {
	case in == nil:
		return " --from " + u.From.String()
	case !in.Recognised:
		return fmt.Sprintf(" --from %s --operator %s", u.From, shellWord(in.Controller.Namespace+"/"+in.Controller.Name))
	default:
		return " --operator " + shellWord(in.Controller.Namespace+"/"+in.Controller.Name)
	}
}

// rollout is the upgrade itself.
func rollout(r installer, release, namespace, to string) Task {
	if r.tool != "" {
		return Task{
			When: During, Do: fmt.Sprintf("set chart version %s where %s takes it from, and let it sync", to, r.tool),
			Because: r.tool + " applies the release, and takes back what anybody else changes",
		}
	}
	return Task{
		When: During, Do: "upgrade the release", Because: "controller and webhook roll to the new image",
		Commands: []string{fmt.Sprintf("helm upgrade %s spark-operator/spark-operator --version %s -n %s -f values.yaml", release, to, namespace)},
	}
}

// shellWord writes a text so that a shell of POSIX takes it for one word, whatever is in it.
func shellWord(s string) string {
	safe := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:=@%+,", c)
	}
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !safe(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// kubectl is a command about one object. TYPE/NAME keeps a name from being taken for a flag.
func kubectl(verb string, o snapshot.Ref) string {
	command := "kubectl " + verb + " " + shellWord(strings.ToLower(o.Kind)+"/"+o.Name)
	if o.Namespace != "" {
		command += " -n " + shellWord(o.Namespace)
	}
	return command
}
