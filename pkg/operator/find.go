package operator

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

type part int

const (
	noPart part = iota
	controllerPart
	webhookPart
	legacyPart // 1.x: controller and webhook in one process
)

// Find returns the installations among the Deployments of a snapshot, in order of namespace and name. A Deployment
// is recognised by its arguments first, since charts can be renamed, then by labels, then by image
// (charts/spark-operator-chart/templates/{controller,webhook}/deployment.yaml@v2.5.2).
func Find(deployments []snapshot.Deployment) []Installation {
	type key struct{ namespace, name string }
	found := map[key]*Installation{}
	for i := range deployments {
		d := &deployments[i]
		kind := partOf(d)
		if kind == noPart {
			continue
		}
		k := key{d.Namespace, strings.TrimSuffix(strings.TrimSuffix(d.Name, "-controller"), "-webhook")}
		in := found[k]
		if in == nil {
			in = &Installation{Namespace: k.namespace, Name: k.name}
			found[k] = in
		}
		switch kind {
		case webhookPart:
			in.Webhook = d
		case legacyPart:
			in.Controller = d
			if flagsOf(d)["enable-webhook"] == "true" {
				in.Webhook = d
			}
		default:
			in.Controller = d
		}
	}
	out := make([]Installation, 0, len(found))
	for _, in := range found {
		in.setVersion()
		in.controller, in.webhook = settingsOf(in.Controller, in.Legacy()), settingsOf(in.Webhook, in.Legacy())
		out = append(out, *in)
	}
	slices.SortFunc(out, func(a, b Installation) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// For returns the installation that reconciles a namespace, or nil. Of several the first one counts that does so whatever
// the labels of the namespace and of its applications, then the first one that may.
func For(installations []Installation, namespace string) *Installation {
	var may *Installation
	for i := range installations {
		in := &installations[i]
		yes, known := in.Told(namespace, nil)
		if yes && known && in.LabelFilter() == "" {
			return in
		}
		perhaps := yes || !known && in.Watches(namespace)
		if may == nil && perhaps {
			may = in
		}
	}
	return may
}

func partOf(d *snapshot.Deployment) part {
	for _, c := range d.Containers {
		switch {
		case startsWith(c.Args, "controller", "start"):
			if isOperatorImage(c.Image) || isOperatorLabelled(d) || slices.ContainsFunc(c.Args, isOperatorFlag) {
				return controllerPart
			}
		case startsWith(c.Args, "webhook", "start"):
			if isOperatorImage(c.Image) || isOperatorLabelled(d) || slices.ContainsFunc(c.Args, isOperatorFlag) {
				return webhookPart
			}
		case LegacyController(c.Image, c.Args):
			return legacyPart
		}
	}
	return noPart
}

// startsWith finds two words in a row among the arguments before the first flag: an entrypoint may come first.
func startsWith(args []string, first, second string) bool {
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") {
			return false
		}
		if arg == first && i+1 < len(args) && args[i+1] == second {
			return true
		}
	}
	return false
}

// LegacyController reports whether a container is the operator of 1.x, by its image and its flags: manifests without the chart have other
// labels than the chart's.
func LegacyController(image string, args []string) bool {
	return isOperatorImage(image) && slices.ContainsFunc(args, isLegacyFlag)
}

// isOperatorImage recognises the repositories of every era (charts/spark-operator-chart/values.yaml at each tag)
// and their mirrors. apache/spark-kubernetes-operator is another project.
func isOperatorImage(image string) bool {
	repository := repositoryOf(image)
	return strings.HasSuffix(repository, "/spark-operator") || repository == "spark-operator" ||
		strings.HasSuffix(repository, "spark-operator/controller")
}

func isOperatorLabelled(d *snapshot.Deployment) bool {
	component := d.Labels.Get("app.kubernetes.io/component")
	return d.Labels.Get("app.kubernetes.io/name") == "spark-operator" && (component == "controller" || component == "webhook")
}

func isOperatorFlag(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return slices.Contains([]string{"max-tracked-executor-per-app", "enable-batch-scheduler", "mutating-webhook-name", "webhook-svc-name",
		"namespaces"}, name)
}

func isLegacyFlag(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains([]string{"-enable-webhook", "-enable-ui-service", "-ingress-url-format", "-controller-threads", "-resync-interval",
		"-label-selector-filter", "-webhook-svc-name"}, name)
}

// setVersion takes the image tag if it is a release, else the version label, else what the chart of the label installs. Chart 1.3.0
// carries an older operator than 1.2.15 (Chart.yaml@spark-operator-chart-1.3.0), so the chart comes last. Applications of 1.x have
// tags that begin with v1beta2: a bare 1.x.y on an image is a number of the user's own.
func (in *Installation) setVersion() {
	d := cmp.Or(in.Controller, in.Webhook)
	stated := []string{}
	for _, c := range d.Containers {
		if tag := tagOf(c.Image); tag != "" && (isOperatorImage(c.Image) || len(d.Containers) == 1) {
			stated = append(stated, tag)
		}
	}
	stated = append(stated, d.Labels.Get("app.kubernetes.io/version"))
	label, _ := strings.CutPrefix(d.Labels.Get("helm.sh/chart"), "spark-operator-")
	in.Chart, _ = release.ParseVersion(label)
	in.Stated = cmp.Or(append(stated, label)...)
	for _, text := range stated {
		if v, ok := release.ParseVersion(text); ok && (v.Major != 1 || !release.IsPlain(text)) {
			in.Version = v
			in.Stated = text
			in.Recognised = IsKnown(v)
			return
		}
	}
	switch application, known := ApplicationOfChart(in.Chart); {
	case known && application.Major == 1:
		in.Version = application
		in.Stated = "chart " + label
		in.Recognised = true
	case known:
		in.Version = application
		in.Stated = label
		in.Recognised = true
	case !in.Chart.IsZero() && in.Chart.Major != 1:
		in.Version, in.Stated = in.Chart, label
	case partOf(d) == legacyPart:
		in.Version, in.Recognised = Version{Major: 1}, true
	}
}

func tagOf(image string) string {
	repository, _, _ := strings.Cut(image, "@")
	i := strings.LastIndex(repository, ":")
	if i < 0 || i < strings.LastIndex(repository, "/") {
		return ""
	}
	return repository[i+1:]
}
