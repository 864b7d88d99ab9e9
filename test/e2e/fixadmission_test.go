package e2e

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/proxy"
)

// reasserts a caBundle that the webhook was not allowed to put right, and shows that what the webhook must admit waits
// for that: the owner of an application, with Fail.
func reasserts(t *testing.T, f fixing) {
	f.application(t, "blocked", "etl")
	f.patch(t, "blocked", "etl", ownerReferences("Pipeline", "pipelines.example.com/v1", "nightly", "00000000-0000-4000-8000-000000000001"))
	good := f.caBundle(t)
	allowAgain := f.staleBundle(t)
	bundle := repair{
		check: "SD1003", kind: "MutatingWebhookConfiguration", name: webhookConfig, flags: []string{"--new-after", "0s"},
		allow: []string{"--max-risk", "disruptive"}, plan: []object{configuration(webhookConfig)}, noUndo: "the operator writes caBundle",
	}
	f.changesNothing(t, bundle)

	owner := repair{check: "SD2002", kind: "SparkApplication", namespace: "blocked", name: "etl", flags: bundle.flags,
		plan: []object{application("blocked", "etl")}}
	require.NotEmpty(t, f.found(t, owner))
	before := f.versions(t, owner.plan)
	f.proxy.Forget()
	for _, more := range [][]string{{"--yes"}, {"--yes", bundle.pick()}} { // the second is above the default risk
		alone := f.fix(t, owner, t.TempDir(), more...)
		require.Equal(t, 1, alone.code, alone.stdout+alone.stderr)
		require.Contains(t, alone.stdout, "blocked: the webhook that must admit it does not work: SD1003 MutatingWebhookConfiguration "+
			webhookConfig)
		require.Contains(t, alone.stdout, "nothing can be applied")
	}
	require.Empty(t, f.writes())
	require.Equal(t, before, f.versions(t, owner.plan))

	owner.allow = bundle.allow
	tried := f.fix(t, owner, t.TempDir(), bundle.pick(), "--dry-run=server")
	require.Equal(t, 0, tried.code, tried.stdout+tried.stderr)
	require.Regexp(t, `(?m)^fix 1 checked: MutatingWebhookConfiguration `, tried.stdout)
	require.Regexp(t, `(?m)^fix 2 not checkable: .* before fix 1 is applied$`, tried.stdout)
	require.Empty(t, f.writes())

	// Planned, and looked for again, while the webhook may do nothing; it may when the fix writes: else it could be quicker.
	planned := f.fix(t, owner, t.TempDir(), bundle.pick(), "-o", "yaml")
	require.Equal(t, 0, planned.code, planned.stdout+planned.stderr)
	plan := filepath.Join(t.TempDir(), "plan.yaml")
	require.NoError(t, os.WriteFile(plan, []byte(planned.stdout), 0o600))
	records := t.TempDir()
	f.proxy.Forget()
	f.proxy.Inject(writesTo("/mutatingwebhookconfigurations/"+webhookConfig), 1, proxy.Before(allowAgain))
	applied := f.doctor.run(t, "fix", "--plan", plan, "--yes", "--max-risk", "disruptive", "--record-dir", records, "--new-after", "0s",
		"--confirm-after", "1s")
	require.Equal(t, 0, applied.code, applied.stdout+applied.stderr)
	require.Contains(t, applied.stdout, "SD1003 MutatingWebhookConfiguration "+webhookConfig+": resolved")
	require.Contains(t, applied.stdout, "SD2002 SparkApplication blocked/etl: resolved")
	require.Equal(t, good, f.caBundle(t))
	f.wroteNoSpec(t)
	require.Contains(t, f.writes()[0].Path, "mutatingwebhookconfigurations", "the webhook first")
	require.Empty(t, f.found(t, bundle))
	require.Empty(t, f.found(t, owner))
	f.takesBack(t, bundle, recordsIn(t, records)[0])
}

// waitsForTheWebhook is a webhook that is down, which nothing here repairs: what it must admit is not tried, and what
// it does not see is repaired all the same.
func waitsForTheWebhook(t *testing.T, f fixing) {
	f.application(t, "outage", "etl", finalizer("sparkoperator.k8s.io/finalizer"))
	require.NoError(t, f.cp.EndPod(t.Context(), "outage", "etl-driver", corev1.PodSucceeded))
	_, err := f.cp.WaitForState(t.Context(), "outage", "etl", "COMPLETED")
	require.NoError(t, err)
	f.application(t, "outage", "stream")
	f.fill(t, "outage", "stream", 400)
	f.deleteApp(t, "outage", "etl", metav1.DeletePropagationBackground)
	require.NoError(t, f.op.StopWebhook(t.Context()))
	held := repair{
		check: "SD2005", kind: "SparkApplication", namespace: "outage", name: "etl", flags: []string{"--stuck-after", "1s"},
		allow: []string{"--max-risk", "destructive"}, plan: []object{application("outage", "etl")},
	}
	until(t, "it to be stuck", func(context.Context) (bool, error) { return f.found(t, held) != "", nil })
	f.proxy.Forget()
	o := f.fix(t, held, t.TempDir(), "--yes")
	require.Equal(t, 1, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "blocked: the webhook that must admit it does not work: SD1002 ")
	require.Empty(t, f.writes())

	f.applies(t, repair{
		check: "SD3001", kind: "SparkApplication", namespace: "outage", name: "stream", flags: []string{"--max-object-size", "30000"},
		allow: []string{"--keep-executors", "5"}, plan: []object{application("outage", "stream")},
	})
	require.NoError(t, f.op.StartWebhook(t.Context()))
	f.applies(t, held)
}

// restartsWhatStaysWrong is a Secret with another CA than the leader has in memory: told to write its CA the leader
// writes the old one again, and only its successor reads the Secret.
func restartsWhatStaysWrong(t *testing.T, f fixing) {
	f.replaceSecret(t, f.sign(t, newCA(t)))
	r := repair{
		check: "SD1003", kind: "MutatingWebhookConfiguration", name: webhookConfig, flags: []string{"--new-after", "0s"},
		allow: []string{"--max-risk", "disruptive"}, noUndo: "a restart has nothing to restore",
	}
	require.NotEmpty(t, f.found(t, r))
	require.Contains(t, f.fix(t, r, t.TempDir(), "--dry-run").stdout, "if that does not help: restart all replicas of the webhook")
	record := f.applies(t, r)
	require.Contains(t, text(t, record), "kubectl.kubernetes.io/restartedAt")
	require.Empty(t, f.certificates(t, "--probe").findings())
	f.takesBack(t, r, record)
	f.admitted(t)
}

// restarts replicas of which one serves a certificate that nobody trusts.
func restarts(t *testing.T, f fixing) {
	f.diverge(t)
	f.shows(t, repair{
		check: "SD1005", kind: "Deployment", namespace: f.op.Namespace, name: "spark-operator-webhook",
		flags: []string{"--probe", "--new-after", "0s"},
		allow: []string{"--max-risk", "disruptive"}, plan: []object{deployment(f.op.Namespace, "spark-operator-webhook")},
		noUndo: "a restart has nothing to restore",
	})
	require.Empty(t, f.untrusted(t))
	f.admitted(t)
	require.NoError(t, f.op.Scale(t.Context(), "webhook", 1))
}

func deployment(namespace, name string) object {
	return object{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, namespace, name}
}

// failsClosed sets Fail where no other field manager owns it, when every replica has been connected to.
func failsClosed(t *testing.T, f fixing) {
	restore := f.editWebhooks(t, func(w *admissionv1.MutatingWebhook) { w.FailurePolicy = new(admissionv1.Ignore) })
	r := repair{
		check: "SD1001", kind: "MutatingWebhookConfiguration", name: webhookConfig,
		allow: []string{"--max-risk", "disruptive"}, plan: []object{configuration(webhookConfig)},
	}
	f.proxy.Forget()
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 1, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "the path of the webhook is not proven to be healthy")
	require.Contains(t, o.stdout, "--probe")
	require.Empty(t, f.writes())

	r.flags = []string{"--probe"}
	f.shows(t, r)
	f.applies(t, r)
	f.admitted(t)
	restore()
}

// printsHelmValue is the same policy where it came by a Helm value, which the next upgrade would bring back.
func printsHelmValue(t *testing.T, f fixing) {
	f.upgrade(t, "Ignore")
	r := repair{
		check: "SD1001", kind: "MutatingWebhookConfiguration", name: webhookConfig, flags: []string{"--probe"},
		allow: []string{"--max-risk", "disruptive"},
	}
	require.NotEmpty(t, f.found(t, r))
	before := f.versions(t, []object{configuration(webhookConfig)})
	f.proxy.Forget()
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 1, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "field manager helm owns webhooks[name=")
	require.Contains(t, o.stdout, "set webhook.failurePolicy: Fail in the Helm values")
	require.Empty(t, f.writes())
	require.Equal(t, before, f.versions(t, []object{configuration(webhookConfig)}))
	f.upgrade(t, "Fail")
	require.Empty(t, f.found(t, r), "the value is what it takes")
}

func (f fixing) upgrade(t *testing.T, policy string) {
	t.Helper()
	out, err := f.cp.Helm(t.Context(), "upgrade", f.op.Release, f.op.Chart(), "--namespace", f.op.Namespace, "--no-hooks", "--reuse-values",
		"--set", "webhook.failurePolicy="+policy)
	require.NoError(t, err, out)
}

func deletesStaleConfiguration(t *testing.T, f fixing) {
	old := f.configurationOf1x()
	configurations := f.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	_, err := configurations.Create(t.Context(), old, metav1.CreateOptions{})
	require.NoError(t, err)
	r := repair{
		check: "SD1009", kind: "MutatingWebhookConfiguration", name: old.Name,
		allow: []string{"--max-risk", "destructive"}, plan: []object{configuration(old.Name)}, noUndo: "a deleted object is gone",
	}
	until(t, "it to be no rollout", func(context.Context) (bool, error) { return f.found(t, r) != "", nil })
	f.shows(t, r)
	_, err = configurations.Get(t.Context(), webhookConfig, metav1.GetOptions{})
	require.NoError(t, err, "the operator's own stays")
}

// spoilSecret puts something into the webhook's Secret that is no certificate.
func (f fixing) spoilSecret(t *testing.T) repair {
	t.Helper()
	spoilt := f.secret(t).Data
	for key := range spoilt {
		spoilt[key] = []byte("spoilt")
	}
	f.replaceSecret(t, spoilt)
	secret := object{schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, f.op.Namespace, certsSecret}
	return repair{
		check: "SD1004", kind: "Secret", namespace: f.op.Namespace, name: certsSecret, flags: []string{"--new-after", "0s"},
		allow: []string{"--max-risk", "destructive"}, plan: []object{secret, deployment(f.op.Namespace, "spark-operator-webhook")},
		noUndo: "a deleted object is gone",
	}
}

// remakesSecret has the webhook re-create a certificate that was spoilt.
func remakesSecret(t *testing.T, f fixing) {
	record := f.shows(t, f.spoilSecret(t))
	require.NotContains(t, text(t, record), "c3BvaWx0", "no data of a Secret is recorded")
	require.Empty(t, f.certificates(t, "--probe").findings())
	f.admitted(t)
}

// remakesSecretInTwo is killed when the Secret is gone and nothing has been restarted: a second fix does the rest.
func remakesSecretInTwo(t *testing.T, f fixing) {
	r := f.spoilSecret(t)
	args := slices.Concat([]string{"fix", r.pick(), "--yes"}, r.flags, r.allow)
	records := f.kill(t, args, proxy.Request.Writes, 1, proxy.LoseAnswer)
	require.Len(t, records, 1)
	f.takesBack(t, r, records[0])
	f.proxy.Forget()
	var o outcome
	until(t, "the Secret to be missed", func(context.Context) (bool, error) {
		o = f.doctor.run(t, slices.Concat([]string{"fix", "SD1004", "--yes", "--confirm-after", "1s", "--record-dir", t.TempDir()}, r.flags,
			r.allow)...)
		require.Equal(t, 0, o.code, o.stdout+o.stderr)
		return o.stdout != "nothing to do\n", nil
	})
	require.Contains(t, o.stdout, "fix 1 applied: Deployment spark-operator/spark-operator-webhook: restart all replicas of the webhook")
	require.Len(t, f.writes(), 1)
	require.Empty(t, f.certificates(t, "--probe").findings())
	f.admitted(t)
}

// admitted waits until applications are admitted.
func (f fixing) admitted(t *testing.T) {
	t.Helper()
	until(t, "applications to be admitted", func(ctx context.Context) (bool, error) {
		_, err := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace("healthy").Create(ctx,
			controlplane.NewApplication("healthy", "dry"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil, err
	})
}
