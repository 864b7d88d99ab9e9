package webhook

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Why the API server does not reach a webhook.
const (
	noService  check.Kind = "no service"
	noPort     check.Kind = "no port"
	noEndpoint check.Kind = "no endpoint"
)

// failsOpenNext: with Fail every call that fails is a submission that is refused, so whatever fails now is repaired before. Charts of 1.x
// do not pass -webhook-fail-on-error (charts/spark-operator-chart/templates/deployment.yaml@spark-operator-chart-1.4.6).
func failsOpenNext(f *check.Finding, x *check.Context) []check.Command {
	in, fail := x.Operator(f), command.Value{Path: "webhook.failurePolicy", To: "Fail"}
	legacy := strings.HasPrefix(f.Evidence[0].Value, "webhook."+snapshot.SparkGroup+":") // as every 1.x calls it, pkg/webhook/webhook.go
	switch {
	case in != nil && in.Legacy() || in == nil && legacy:
		return []check.Command{command.Upgrade(in, operator.Version{Major: 2, Minor: 1, Patch: 1},
			": the charts of 1.x cannot set failurePolicy")}
	case len(f.CausedBy) > 0:
		return []check.Command{command.Do("then set %s=%s: until then it would stop every submission", fail.Path, fail.To)}
	}
	if in == nil {
		return []check.Command{command.Set(in, fail)}
	}
	out := []check.Command{
		command.Do("prove that every replica serves a trusted certificate").With("kubectl sparkdoctor scan --checks %s --probe", "SD1005"),
		command.Set(in, fail),
	}
	if command.InstallerOf(in).Tool == command.Unknown && len(f.Fixes) > 0 {
		out[1] = f.Repair("set failurePolicy to Fail", "--probe")
	}
	return out
}

func unreachableNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	service, _ := f.First("Service")
	switch {
	case f.Fault == noService && in == nil:
		return []check.Command{command.Do("see who made the configuration").On("get", f.Object, "-o yaml")}
	case f.Fault == noService:
		return []check.Command{command.Again(in, "Service "+service.Name)}
	case f.Fault == noPort:
		return []check.Command{
			command.Do("compare the ports of the Service with those of the pods").On("describe", service),
			command.Again(in, "the ports of Service "+service.Name),
		}
	case in == nil || in.Webhook == nil:
		return []check.Command{command.Do("see which pods the Service selects").On("describe", service)}
	case in.Webhook.Replicas == 0:
		return []check.Command{command.Do("start the webhook again").On("scale", in.Webhook.Ref, "--replicas 1")}
	case in.Webhook.Ready > 0:
		return []check.Command{command.Do("compare the selector of the Service with the labels of the pods").On("describe", service)}
	default:
		return []check.Command{
			command.Do("see why the webhook is not ready").On("describe", in.Webhook.Ref),
			command.Do("read its log").With("kubectl -n %s logs deployment/%s --all-containers", in.Webhook.Namespace, in.Webhook.Name),
		}
	}
}

func caMismatchNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	switch {
	case len(f.Fixes) > 0:
		return []check.Command{f.Repair("write the webhook's CA into caBundle again")}
	case in == nil || in.Webhook == nil:
		return []check.Command{command.Do("see who fills caBundle").On("get", f.Object, "-o yaml")}
	}
	switch in.CertificateUse() {
	case operator.FromCertManager:
		return []check.Command{command.Do("check the source of caBundle that cainjector reads, and whether it is ready").
			On("get", f.Object, "-o yaml")}
	case operator.OnePerReplica:
		return append(onePerReplicaNext(in), command.Restart("restart the operator: it writes its CA when it starts", in.Webhook.Ref))
	default:
		return []check.Command{command.Again(in, "the webhook's Secret and caBundle")}
	}
}

// onePerReplicaNext is what helps where each replica makes a certificate of its own.
func onePerReplicaNext(in *operator.Installation) []check.Command {
	if in.Webhook.Replicas < 2 {
		return nil
	}
	return []check.Command{command.Set(in, command.Replicas(in, true, "1"))}
}

// certInvalidNext: cert-manager advises against deleting the Secret (cert-manager.io/docs/usage/certificate).
func certInvalidNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	gone := strings.HasPrefix(f.What, "no-secret/")
	switch {
	case len(f.Fixes) == 1 && gone:
		return []check.Command{f.Repair("restart all replicas of the webhook together: they make a new Secret")}
	case len(f.Fixes) == 1:
		return []check.Command{f.Repair("restart all replicas of the webhook together: they replace the certificate")}
	case len(f.Fixes) > 1:
		return []check.Command{f.Repair("delete the Secret and restart all webhook replicas: they generate a new one")}
	case in == nil || in.Webhook == nil:
		return []check.Command{command.Do("see who fills the Secret").On("describe", f.Object)}
	}
	if in.CertificateUse() == operator.FromCertManager {
		list := command.Do("see why cert-manager does not issue the Certificate").
			With("kubectl -n %s describe certificates.cert-manager.io", in.Webhook.Namespace)
		if !gone {
			list.Text = "find the Certificate that fills this Secret, and renew it"
		}
		return []check.Command{list}
	}
	again := command.Again(in, "the webhook's Secret")
	if gone {
		return []check.Command{again}
	}
	return []check.Command{command.Do("delete the Secret").On("delete", f.Object), again}
}

func replicasDivergeNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	if in != nil && in.Webhook != nil && in.CertificateUse() == operator.OnePerReplica {
		return onePerReplicaNext(in)
	}
	var out []check.Command
	if f.Certainty == check.Likely {
		out = append(out, command.Do("prove it: compare the certificate that each replica serves").
			With("kubectl sparkdoctor scan --checks %s --probe", f.Check))
	}
	if len(f.Fixes) == 0 {
		return append(out, command.Restart("restart all replicas of the webhook together", f.Object))
	}
	return append(out, f.Repair("restart all replicas of the webhook together"))
}

// secretDriftNext names what to leave out of a comparison, by who holds it: the manager is in the evidence. Argo CD compares what
// ignoreDifferences leaves (argo-cd.readthedocs.io/en/stable/user-guide/diffing), kustomize-controller applies an object with the
// annotation once (fluxcd.io/flux/components/kustomize/kustomizations, ssa), helm-controller has spec.driftDetection.
func secretDriftNext(f *check.Finding, x *check.Context) []check.Command {
	path := "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(f.Field) // as a JSON pointer
	held := func(manager string) bool {
		return slices.ContainsFunc(f.Evidence, func(e check.Evidence) bool { return strings.HasPrefix(e.Value, manager+" by ") })
	}
	application := "the Argo CD application"
	if in := x.Operator(f); in != nil && command.InstallerOf(in).Tool == command.ArgoCD {
		application = "Argo CD application " + command.InstallerOf(in).Source
	}
	what := f.Object.Kind + " " + f.Object.Name
	var out []check.Command
	if slices.ContainsFunc(f.Evidence, func(e check.Evidence) bool {
		return strings.HasPrefix(e.Value, "argocd-") || e.Field == "metadata"
	}) {
		out = append(out, command.Do("add %s of %s to ignoreDifferences of %s, with RespectIgnoreDifferences=true", path, what, application))
	}
	if held("kustomize-controller") {
		out = append(out, command.Do("annotate %s with kustomize.toolkit.fluxcd.io/ssa: IfNotPresent in the manifests of the Kustomization",
			what))
	}
	if held("helm-controller") {
		out = append(out, command.Do("add %s of %s to spec.driftDetection.ignore of the HelmRelease", path, what))
	}
	if held("helm") {
		out = append(out, command.Do("take %s of %s out of the chart's templates", path, what))
	}
	return out
}

// skipsNamespaceNext: what leaves the namespace out is in the first evidence, a selector as kubectl takes it. The chart makes both, the
// selector and the process's list, of one value.
func skipsNamespaceNext(f *check.Finding, x *check.Context) []check.Command {
	in, gap := x.Operator(f), f.Evidence[0]
	config, _ := f.First("MutatingWebhookConfiguration")
	selects := strings.HasSuffix(gap.Field, ".namespaceSelector")
	switch {
	case strings.HasSuffix(gap.Field, ".objectSelector"):
		return []check.Command{command.Do("put the labels %s on pods, by spec.driver.labels and spec.executor.labels", gap.Value)}
	case selects && !strings.Contains(gap.Value, "kubernetes.io/metadata.name"):
		return []check.Command{command.Do("add the label that the webhook selects to the namespace").
			With("kubectl label namespace %s %s", f.Object.Name, gap.Value)}
	case in != nil && command.InstallerOf(in).Chart != "":
		return []check.Command{command.Set(in, command.JobNamespaces(in, withNamespace(in.Listed(), f.Object.Name)))}
	case selects:
		return []check.Command{command.Do("add %s to the namespaceSelector of the webhooks", f.Object.Name).On("edit", config)}
	case in == nil || in.Webhook == nil:
		return []check.Command{command.Set(in, command.JobNamespaces(in, nil))}
	default:
		v := command.JobNamespaces(in, withNamespace(in.WebhookNamespaces(), f.Object.Name))
		v.Of = in.Webhook.Ref
		return []check.Command{command.Set(in, v)}
	}
}

// withNamespace is a list with one more; nil, all of them, stays.
func withNamespace(list []string, name string) []string {
	if list == nil || slices.Contains(list, name) {
		return list
	}
	return append(slices.Clone(list), name)
}

func missingNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	switch {
	case f.Kind == "disabled":
		return []check.Command{command.EnableWebhook(in)}
	case len(f.Fixes) > 0:
		return []check.Command{f.Repair("restart the operator: it registers its webhook when it starts")}
	default:
		return []check.Command{command.Again(in, "MutatingWebhookConfiguration "+f.What)}
	}
}

func staleConfigNext(f *check.Finding, _ *check.Context) []check.Command {
	if len(f.Fixes) > 0 {
		return []check.Command{f.Repair("delete the configuration: nothing serves its calls")}
	}
	return []check.Command{command.Do("remove the entries of webhooks from it that no operator answers").On("edit", f.Object)}
}
