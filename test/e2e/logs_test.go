package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// quoted are the lines of the operator's logs that a report shows, each behind the check that shows it.
func (o outcome) quoted() []string {
	var out []string
	for _, i := range o.report.Items {
		for _, e := range i.Evidence {
			if strings.HasPrefix(e.Field, "log of container spark-operator-") {
				out = append(out, i.Check+" "+e.Object.Name+": "+e.Value)
			}
		}
	}
	return out
}

// quotes holds that a check shows a line which contains some texts.
func (o outcome) quotes(t *testing.T, check string, texts ...string) {
	t.Helper()
	require.True(t, slices.ContainsFunc(o.quoted(), func(line string) bool {
		return strings.HasPrefix(line, check+" ") && !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) })
	}), "%s %q is not among %q", check, texts, o.quoted())
}

// call lets the API server call the webhook a few times, each over a connection of its own.
func (s situation) call(t *testing.T) {
	t.Helper()
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace("healthy").Create(t.Context(),
				controlplane.NewApplication("healthy", "dry"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			done <- err
		}()
	}
	for range 8 {
		<-done
	}
}

// refusalsLogged shows what replicas say of an API server that does not trust them, and that it proves what dates make
// likely, or tells what nothing else does.
func refusalsLogged(t *testing.T, s situation) {
	ctx := t.Context()
	require.Empty(t, s.certificates(t, "--logs").findings())
	require.NoError(t, s.op.Scale(ctx, "webhook", 2))
	bad := s.divergedReplica(t, 2)
	require.Empty(t, s.replicas(t).findings(), "no date tells")
	o := outcome{}
	until(t, "the replica to say it", func(context.Context) (bool, error) {
		s.call(t)
		o = s.replicas(t, "--logs")
		return len(o.findings()) > 0, nil
	})
	require.Equal(t, []string{"error likely SD1005 Deployment spark-operator/spark-operator-webhook"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "clients reject the certificate of 1 of 2 ready webhook replicas ("+bad+")")
	o.quotes(t, "SD1005", bad+": ", "http: TLS handshake error from ", "remote error: tls: bad certificate")
	require.Contains(t, s.doctor.run(t, "scan", "--logs", "--confirm-after", "1s", "--checks", "SD1005").stdout,
		"log: spark-operator pod/"+bad+", ", "the table quotes it")

	s.startedEarlier(t, bad)
	require.Equal(t, []string{"error likely SD1005 Deployment spark-operator/spark-operator-webhook"}, s.replicas(t).findings())
	proven := s.replicas(t, "--logs")
	require.Equal(t, []string{"error proven SD1005 Deployment spark-operator/spark-operator-webhook"}, proven.findings(), proven.stdout)
	proven.quotes(t, "SD1005", bad+": ", "bad certificate")

	require.NoError(t, s.op.Scale(ctx, "webhook", 1))
	s.healed(t)
	require.Empty(t, s.certificates(t, "--logs").findings())
}

// divergedReplica re-creates the Secret under several replicas, and returns the one that the API server does not trust.
func (s situation) divergedReplica(t *testing.T, replicas int) string {
	t.Helper()
	ctx := t.Context()
	// The replica that leads keeps its CA in the caBundle; another one is replaced.
	var pods []corev1.Pod
	until(t, "a replica to lead", func(ctx context.Context) (bool, error) {
		all, err := s.op.Pods(ctx, "webhook")
		pods = slices.DeleteFunc(all, func(p corev1.Pod) bool {
			log, err := s.cp.Client.CoreV1().Pods(p.Namespace).GetLogs(p.Name, &corev1.PodLogOptions{}).DoRaw(ctx)
			return err == nil && strings.Contains(string(log), "successfully acquired lease")
		})
		return err == nil && len(pods) == replicas-1, err
	})
	require.NoError(t, s.cp.Client.CoreV1().Secrets(s.op.Namespace).Delete(ctx, certsSecret, metav1.DeleteOptions{}))
	require.NoError(t, s.cp.Client.CoreV1().Pods(s.op.Namespace).Delete(ctx, pods[0].Name, metav1.DeleteOptions{}))
	until(t, "all replicas", func(ctx context.Context) (bool, error) {
		now, err := s.op.Pods(ctx, "webhook")
		ready := slices.DeleteFunc(now, func(p corev1.Pod) bool { return p.Name == pods[0].Name || !controlplane.PodReady(&p) })
		return err == nil && len(ready) == replicas, err
	})
	bad := s.untrusted(t)
	require.Len(t, bad, 1)
	return bad[0]
}

// refusedForGood shows why a caBundle stays wrong: the webhook says that it may not write it.
func (s situation) refusedForGood(t *testing.T) {
	t.Helper()
	until(t, "the replica to be refused for more than a second", func(context.Context) (bool, error) {
		s.call(t)
		o := s.doctor.scan(t, "--checks", "SD1003", "--new-after", "0s", "--logs")
		require.Equal(t, []string{"error proven SD1003 MutatingWebhookConfiguration /" + webhookConfig}, o.findings(), o.stdout)
		return slices.ContainsFunc(o.quoted(), func(line string) bool { return strings.Contains(line, "bad certificate") }), nil
	})
	o := s.doctor.scan(t, "--checks", "SD1003", "--new-after", "0s", "--logs")
	o.quotes(t, "SD1003", "failed to update mutating webhook configuration", "is forbidden")
}

// doesNotStart gives the webhook a Secret that it cannot parse.
func doesNotStart(t *testing.T, s situation) {
	before := s.secret(t)
	data := map[string][]byte{"ca-key.pem": []byte("no key")}
	for _, key := range []string{"ca-cert.pem", "server-cert.pem", "server-key.pem"} {
		data[key] = before.Data[key]
	}
	s.replaceSecret(t, data)
	require.NoError(t, s.op.StopWebhook(t.Context()))
	s.op.LetWebhookStart()
	var o outcome
	until(t, "the webhook to say why it does not start", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "--checks", "SD1002,SD1004", "--logs", "--new-after", "0s")
		return len(o.quoted()) > 2, nil
	})
	require.Contains(t, o.findings(), "error proven SD1004 Secret spark-operator/"+certsSecret)
	require.Contains(t, o.findings(), "error proven SD1002 "+mutating+installed)
	o.quotes(t, "SD1002", "Failed to sync webhook secret", "failed to decode secret data to pem block")
	o.quotes(t, "SD1004", "Failed to sync webhook secret")
	s.replaceSecret(t, before.Data)
	require.NoError(t, s.op.StartWebhook(t.Context()))
	s.silentAgain(t)
}

// refusedSchedule lets a schedule try to make applications while the webhook is down: what the API server answers stands
// in the controller's log, and explains what keeps a finalizer from being removed.
func refusedSchedule(t *testing.T, s situation) {
	ns := s.namespace(t, "refused")
	s.application(t, ns, "held", finalizer("argocd.argoproj.io/hook-finalizer"))
	s.schedule(t, ns)
	s.deleteApp(t, ns, "held", metav1.DeletePropagationBackground)
	time.Sleep(time.Second) // what the API server said before the deletion does not count, by the second
	require.NoError(t, s.op.StopWebhook(t.Context()))
	var o outcome
	until(t, "the controller to be refused", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "--logs", "--stuck-after", "1s", "--checks", "SD1002,SD2005")
		return slices.ContainsFunc(o.quoted(), func(line string) bool { return strings.HasPrefix(line, "SD2005 ") }), nil
	})
	o.quotes(t, "SD1002", `failed calling webhook`, "sparkapplication.sparkoperator.k8s.io", "no endpoints available for service")
	o.quotes(t, "SD2005", `failed calling webhook`, "mutate-", "no endpoints available for service")
	require.NoError(t, s.op.StartWebhook(t.Context()))
	s.release(t, ns, "held")
	require.NoError(t, s.cp.Dynamic.Resource(schedules()).Namespace(ns).Delete(t.Context(), "often", metav1.DeleteOptions{}))
}

// refusedForItsSize fills a status until nothing fits any more, and lets the controller write what became of the driver.
func refusedForItsSize(t *testing.T, s situation) {
	ns := s.namespace(t, "full")
	s.application(t, ns, "stream")
	next := 0
	for _, batch := range []int{10_000, 2000, 500, 100, 20, 4, 1} {
		for {
			states := map[string]any{}
			for i := range batch {
				states[fmt.Sprintf("stream-0123456789abcdef0123456789abcdef-exec-%d", next+i)] = "COMPLETED"
			}
			raw, err := json.Marshal(map[string]any{"status": map[string]any{"executorState": states}})
			require.NoError(t, err)
			_, err = s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Patch(t.Context(), "stream", types.MergePatchType, raw,
				metav1.PatchOptions{}, "status")
			if err != nil {
				require.ErrorContains(t, err, "too large")
				break
			}
			next += batch
		}
	}
	require.NotContains(t, s.doctor.scan(t, "-n", ns, "--logs", "--checks", "SD3001").message(t), "was refused")
	require.NoError(t, s.cp.EndPod(t.Context(), ns, "stream-driver", corev1.PodFailed))
	var o outcome
	until(t, "the controller to be refused", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "-n", ns, "--logs", "--checks", "SD3001", "--max-object-size", "6000000")
		return len(o.quoted()) > 0, nil
	})
	require.Equal(t, []string{"error proven SD3001 SparkApplication full/stream"}, o.findings(), "by its share alone it is an info")
	require.Contains(t, o.message(t), "a write was rejected for its size ")
	o.quotes(t, "SD3001", "too large")
	s.deleteApp(t, ns, "stream", metav1.DeletePropagationBackground)
}
