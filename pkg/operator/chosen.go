package operator

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Chosen is what the chart of a release makes with values: as much of it as the values that checks ask for decide.
type Chosen struct {
	Installation Installation
	Accounts     []snapshot.Account // that the chart makes for drivers
	UpgradesCRDs bool               // a hook applies the CRDs
}

// Choose returns what the chart of a release of 2.x makes with values, for a release of Helm. Values that the chart does not know change
// nothing: of 1.x nearly all (charts/spark-operator-chart/values.yaml and templates/{_helpers.tpl,controller,webhook,spark}@v2.0.0 to
// @v2.5.2).
func Choose(to Version, v helm.Values, release, namespace string) *Chosen {
	chart, _ := ChartOf(to)
	full := fullName(v, release)
	names := ChartNamesOf(to, release, full)
	image := orDefault(v, "image.registry", RegistryOf(chart.Repository)) + "/" +
		orDefault(v, "image.repository", strings.TrimPrefix(chart.Repository, RegistryOf(chart.Repository)+"/")) + ":" +
		orDefault(v, "image.tag", to.String())
	jobs := chart.JobNamespaces
	if v.Has("spark.jobNamespaces") {
		jobs = v.List("spark.jobNamespaces")
	}
	watch := []string{"--namespaces=" + strings.Join(jobs, ",")}
	switch {
	case len(jobs) == 0:
		watch = nil // all
	case slices.Contains(jobs, ""):
		watch = []string{`--namespaces=""`}
	}
	deploy := func(part string, args ...string) snapshot.Deployment {
		d := snapshot.Deployment{Replicas: 1, Ready: 1, Containers: []snapshot.Container{{
			Name: "spark-operator-" + part, Image: image, Args: slices.Concat([]string{part, "start"}, watch, args),
		}}}
		d.Ref = snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: namespace, Name: full + "-" + part}
		d.Labels = snapshot.LabelsOf(map[string]string{
			"app.kubernetes.io/name": "spark-operator", "app.kubernetes.io/component": part, "app.kubernetes.io/instance": release,
			"app.kubernetes.io/version": to.String(), "helm.sh/chart": "spark-operator-" + to.String(),
		})
		d.Traits = traitsOfValues(v, part, chart.FSGroup)
		d.Account = snapshot.Account{Namespace: namespace, Name: accountName(v, part, full+"-"+part)}
		return d
	}
	controller := deploy("controller", controllerFlags(to, v)...)
	podOfValues(&controller.Containers[0], v, "controller", chart.RootReadOnly, "/tmp")
	if n, err := strconv.ParseInt(orDefault(v, "controller.replicas", "1"), 10, 32); err == nil {
		controller.Replicas = int32(n)
	}
	list := []snapshot.Deployment{controller}
	if orDefault(v, "webhook.enable", strconv.FormatBool(chart.Webhook)) == "true" {
		port, _ := strconv.ParseUint(orDefault(v, "webhook.port", strconv.Itoa(int(chart.WebhookPort))), 10, 16)
		webhook := deploy("webhook", "--webhook-secret-name="+names.WebhookSecret, "--webhook-secret-namespace="+namespace,
			"--webhook-svc-name="+names.WebhookService, "--webhook-svc-namespace="+namespace,
			"--mutating-webhook-name="+names.Mutating, "--validating-webhook-name="+names.Validating)
		webhook.Containers[0].Args = append(webhook.Containers[0].Args, "--webhook-port="+strconv.Itoa(int(port)))
		podOfValues(&webhook.Containers[0], v, "webhook", chart.RootReadOnly, CertificateDirectory)
		webhook.Containers[0].Ports = []snapshot.ContainerPort{{Name: "webhook", Port: int32(port)}}
		if v.Text("certManager.enable") == "true" {
			webhook.Containers[0].Args = append(webhook.Containers[0].Args, "--enable-cert-manager=true")
		}
		list = append(list, webhook)
	}
	for i := range list {
		snapshot.Clean(&list[i]) // a registry, an address or an argument may hold a password, and findings quote them
	}
	out := &Chosen{Installation: Find(list)[0], UpgradesCRDs: chart.UpgradesCRDs && v.Text("hook.upgradeCrd") == "true"}
	// Whatever image.tag says.
	out.Installation.Version = to
	out.Installation.Recognised = true
	out.Installation.Stated = to.String()
	if orDefault(v, "spark.serviceAccount.create", "true") == "true" {
		for _, job := range jobs {
			if job != "" {
				out.Accounts = append(out.Accounts, snapshot.Account{Namespace: job, Name: accountName(v, "spark", names.SparkAccount)})
			}
		}
	}
	return out
}

// controllerFlags are those that checks read and values decide.
func controllerFlags(to Version, v helm.Values) []string {
	out := []string{"--enable-ui-service=" + orDefault(v, "controller.uiService.enable", "true")}
	if selector := v.Text("spark.jobNamespaceSelector"); selector != "" && !to.Before(2, 5, 0) { // #2808
		out = append(out, "--namespace-selector="+selector)
	}
	if format := v.Text("controller.uiIngress.urlFormat"); format != "" && v.Text("controller.uiIngress.enable") == "true" {
		out = append(out, "--ingress-url-format="+format)
	}
	if v.Text("controller.batchScheduler.enable") == "true" {
		out = append(out, "--enable-batch-scheduler=true")
		if names := v.List("controller.batchScheduler.kubeSchedulerNames"); len(names) > 0 {
			out = append(out, "--kube-scheduler-names="+strings.Join(names, ","))
		}
		if name := v.Text("controller.batchScheduler.default"); name != "" {
			out = append(out, "--default-batch-scheduler="+name)
		}
	}
	if orDefault(v, "controller.leaderElection.enable", "true") == "true" {
		out = append(out, "--leader-election=true")
	}
	return out
}

// accountName is that of a service account of the chart.
func accountName(v helm.Values, part, byDefault string) string {
	prefix := part + ".serviceAccount."
	if name := v.Text(prefix + "name"); name != "" {
		return name
	}
	if orDefault(v, prefix+"create", "true") != "true" {
		return "default"
	}
	return byDefault
}

// fullName is FullName with the values that override it.
func fullName(v helm.Values, release string) string {
	if full := v.Text("fullnameOverride"); full != "" {
		return strings.TrimSuffix(full[:min(len(full), 63)], "-")
	}
	name := orDefault(v, "nameOverride", "spark-operator")
	full := release
	if !strings.Contains(release, name) {
		full = release + "-" + name
	}
	return strings.TrimSuffix(full[:min(len(full), 63)], "-")
}

// FullName is what the chart calls a release of Helm, unless nameOverride or fullnameOverride say otherwise
// (charts/spark-operator-chart/templates/_helpers.tpl@spark-operator-chart-1.4.6 to @v2.5.2).
func FullName(release string) string { return fullName(nil, release) }

func orDefault(v helm.Values, path, byDefault string) string {
	if text := v.Text(path); text != "" {
		return text
	}
	return byDefault
}

// ForeignValues reports whether values are those of other charts only. What an umbrella chart sets for the operator's by default is then
// not known: helm get values prints what the user set. Of an umbrella that is known, nothing at all says the same.
func ForeignValues(v helm.Values, umbrella bool) bool {
	foreign := umbrella
	for key := range v {
		switch {
		case slices.Contains(ownValues(), key):
			return false
		case !slices.Contains(commonValues(), key):
			foreign = true
		}
	}
	return foreign
}

// ownValues are at the top of the values of the operator's charts and seldom of others', commonValues are at the top of many charts, and
// global of every one (charts/spark-operator-chart/values.yaml@spark-operator-chart-1.1.0 to @v2.5.2).
func ownValues() []string {
	return []string{
		"controller", "webhook", "spark", "hook", "certManager",
		"sparkJobNamespace", "sparkJobNamespaces", "serviceAccounts", "controllerThreads", "resyncInterval", "ingressUrlFormat", "uiService",
		"batchScheduler", "labelSelectorFilter", "resourceQuotaEnforcement",
	}
}

func commonValues() []string {
	return []string{
		"global", "image", "imagePullSecrets", "nameOverride", "fullnameOverride", "commonLabels", "prometheus",
		"replicaCount", "rbac", "logLevel", "envFrom", "podSecurityContext", "securityContext", "sidecars", "volumes", "volumeMounts", "metrics",
		"podMonitor", "podDisruptionBudget", "topologySpreadConstraints", "nodeSelector", "tolerations", "affinity", "podAnnotations",
		"podLabels", "resources", "leaderElection", "istio", "priorityClassName",
	}
}

// OfUser returns the values without those that are nothing but the defaults of the chart that is installed: helm get values --all prints
// these, too, and an upgrade with the values of the user does not keep them. Others are returned as they are.
func OfUser(v helm.Values, installed Version) (user helm.Values, computed bool) {
	for _, always := range []string{"nameOverride", "fullnameOverride", "image.tag", "image.pullPolicy", "webhook.enable"} {
		if !v.Has(always) {
			return v, false
		}
	}
	chart, _ := ChartOf(installed)
	registry, repository := "", chart.Repository
	if installed.Major != 1 {
		registry = RegistryOf(repository)
		repository = strings.TrimPrefix(repository, registry+"/")
	}
	defaults := map[string]string{
		"image.registry": registry, "image.repository": repository, "webhook.enable": strconv.FormatBool(chart.Webhook),
		"webhook.port": strconv.Itoa(int(chart.WebhookPort)), "webhook.failurePolicy": chart.FailurePolicy,
	}
	out := helm.Values{}
	for key, value := range v {
		m, is := value.(map[string]any)
		if !is {
			out[key] = value
			continue
		}
		kept := map[string]any{}
		for inner, one := range m {
			if byDefault, known := defaults[key+"."+inner]; !known || v.Text(key+"."+inner) != byDefault {
				kept[inner] = one
			}
		}
		out[key] = kept
	}
	return out, true
}
