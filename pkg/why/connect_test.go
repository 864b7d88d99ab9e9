package why_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// connectCases are those of the table, and the fixtures beside the mechanisms that are about a SparkConnect.
func connectCases(t *testing.T) []connectCase {
	t.Helper()
	with := func(docs ...string) []string { return append(slices.Clone(docs), twoExecutors()...) }
	probed := `, readinessProbe: {tcpSocket: {port: 15002}}`
	quota := "\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team, namespace: team-a}\n"
	cases := []connectCase{
		{name: "runs, and its log says that it listens", docs: with(hub(hubSpec, isReady), server("", up), service(chosen)), log: started,
			class: cause.RunningNormally, proven: true, says: []string{"server and 2 of 2 executors run", "started at: 0:0:0:0:0:0:0:0:15002"}},
		{name: "runs, and nobody knows whether it listens (#2994)", docs: with(hub(hubSpec, isReady), server("", up), service(chosen)),
			class: cause.RunningNormally, says: []string{"Ready says only that its container runs", "kubectl -n team-a logs hub-server"}},
		{name: "runs with a probe", docs: with(hub(hubSpec, isReady), server(probed, up), service(chosen)),
			class: cause.RunningNormally, proven: true, says: []string{"readiness probe succeeds"}},
		{name: "queries that fail are no fault of the server", docs: with(hub(hubSpec, isReady), server("", up), service(chosen)),
			log: started + "\n26/11/23 11:30:00 ERROR ErrorUtils: Spark Connect RPC error during: execute.\n" +
				"org.apache.spark.sql.catalyst.ExtendedAnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view `x` cannot be found.",
			class: cause.RunningNormally, proven: true, not: []string{"TABLE_OR_VIEW"}},
		{name: "ran for long after a restart", docs: with(hub(hubSpec, isReady), server("", again("1", "11:00", "OOMKilled")), service(chosen)),
			log:   started,
			class: cause.RunningNormally, proven: true, says: []string{"restarted once, last 60 min ago (OOMKilled)"}},
		{name: "was killed a short time ago", docs: with(hub(hubSpec, isReady), server("", again("1", "11:40", "OOMKilled")), service(chosen)),
			log: strings.ReplaceAll(started, "11:00", "11:40"), class: cause.ClusterKilled, proven: true,
			says: []string{"OOMKilled", "restarted once, last 20 min ago, and its sessions ended"}},
		{name: "ended by itself a short time ago, and nothing says why",
			docs: []string{hub(`server: {}, executor: {}, dynamicAllocation: {enabled: true}`, isReady),
				server("", strings.Replace(again("1", "11:40", "Error"), "137", "1", 1)), service(chosen)},
			log: strings.ReplaceAll(started, "11:00", "11:40"), class: cause.RunningNormally,
			says: []string{"restarted once, last 20 min ago (exited with 1)"}},
		{name: "without executors by choice", docs: []string{hub(`server: {}, executor: {}, dynamicAllocation: {enabled: true}`, isReady), server("", up), service(chosen)},
			log: started, class: cause.RunningNormally, proven: true},
		{name: "started a minute ago", docs: []string{hub(hubSpec, isReady), server("", strings.ReplaceAll(up, "11:00:19", "11:59:19")),
			service(chosen)},
			class: cause.RunningNormally},
		{name: "created a moment ago", docs: []string{hubAt("11:59", hubSpec, "")}, class: cause.RunningNormally,
			says: []string{"created 60 s ago"}},

		{name: "image cannot be pulled", docs: []string{hub(hubSpec, notReady), server("", `phase: Pending, containerStatuses: [
  {name: spark-kubernetes-driver, state: {waiting: {reason: ImagePullBackOff, message: "Back-off pulling image: not found"}}}]`)},
			class: cause.Image, proven: true, says: []string{"the server cannot start: image spark:4.0.1",
				"kubectl -n team-a delete pod hub-server"}},
		{name: "image of the template has no name", docs: []string{hub(`server: {template: {spec: {containers: [{name: spark-kubernetes-driver, image: "Spark"}]}}}, executor: {}`, notReady),
			server("", `phase: Pending, containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason: InvalidImageName, message: bad}}}]`)},
			class: cause.Image, proven: true, says: []string{"in spec.server.template"}, not: []string{"in spec.image"}},
		{name: "registry wants a pull secret, for an image that looks like a placeholder", docs: []string{hub(hubSpec, notReady),
			strings.Replace(server("", `phase: Pending, containerStatuses: [
  {name: spark-kubernetes-driver, state: {waiting: {reason: ErrImagePull, message: "unauthorized to {executor.memoryOverhead}"}}}]`),
				"spark:4.0.1", "{executor.memoryOverhead}", 1)}, class: cause.Image, proven: true,
			says: []string{"unauthorized to {executor.memoryOverhead}",
				"name a pull secret in spec.server.template.spec.imagePullSecrets that may read {executor.memoryOverhead}"}},
		{name: "image was corrected, the pod has the old one", docs: []string{strings.Replace(hub(hubSpec, notReady), "generation: 1",
			`generation: 2, managedFields: [{manager: kubectl, operation: Update, time: "2026-11-23T11:40:00Z", fieldsV1: {"f:spec": {}}}]`, 1),
			server("", `phase: Pending, containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason: ErrImagePull, message: not found}}}]`)},
			class: cause.Image, proven: true, says: []string{"was changed at 11:40:00, after this pod was created", "from the spec as it is now"}},
		{name: "no node", docs: []string{hub(hubSpec, notReady), server("", unfit)},
			class: cause.Scheduling, proven: true, says: []string{"the server has been pending", "spec.server.template"},
			not: []string{"driver.cores"}},
		{name: "Ready between two kills", docs: with(hub(hubSpec, isReady), server("", again("5", "11:58", "OOMKilled"))),
			class: cause.ClusterKilled, proven: true, says: []string{"OOMKilled", "restarted 5 times, last 2 min ago"}},
		{name: "class is not in the image, although it should be",
			docs:  []string{hub(hubSpec, notReady), server("", crashing("101", "Error", "3"))},
			class: cause.Dependency, says: []string{"since 4.0 it holds the server"}, not: []string{"spark-connect_2.12"}},
		{name: "a server has no good end", docs: []string{hub(hubSpec, notReady), server("", crashing("0", "Completed", "3"))},
			class: cause.Unknown, says: []string{"exit code 0"}, not: []string{"completed: its driver"}},
		{name: "an event of the pod before", docs: with(hub(hubSpec, isReady), server("", up), service(chosen),
			eventOn("Pod", "hub-server", "before", "Evicted", `"The node was low on resource: memory."`)), log: started,
			class: cause.RunningNormally, proven: true, not: []string{"low on resource"}},

		{name: "Service is not in the files", docs: with(hub(hubSpec, isReady), server("", up)), files: true, log: started,
			class: cause.RunningNormally, proven: true},
		{name: "another port that the Service forwards", docs: with(hub(hubSpec+`, sparkConf: {spark.connect.grpc.binding.port: "15009"}`, isReady), server("", up),
			strings.Replace(service(chosen), "targetPort: 15002", "targetPort: 15009", 1)), log: started, class: cause.RunningNormally,
			proven: true},

		{name: "an executor waits", docs: []string{hub(hubSpec, isReady+", executors: {running: 1, pending: 1}"), server("", up), service(chosen),
			executorOf("p", "1", "11:00", execUp),
			executorOf("p", "2", "11:00", unfit)}, log: started, class: cause.SlowButProgressing, proven: true,
			says: []string{"1 of 2 executors run and queries go on"}},
		{name: "all executors wait", docs: []string{hub(hubSpec, isReady), server("", up), service(chosen), executorOf("p", "1", "11:00", unfit),
			executorOf("p", "2", "11:00", unfit)}, log: started, class: cause.Scheduling, proven: true,
			says: []string{"2 of 2 executors have been pending"}},
		{name: "executors of the process before do not count", docs: with(hub(hubSpec, isReady), server("", up), service(chosen),
			executorOf("before", "8", "10:00", ended), executorOf("before", "9", "10:00", ended)), log: started,
			class: cause.RunningNormally, proven: true, says: []string{"2 of 2"}},
		{name: "no executor, and no word of why", docs: []string{hub(hubSpec, isReady), server("", up), service(chosen)}, log: started,
			class: cause.Unknown, says: []string{"none of the 2 executors exists although the server has been running", "status.executors"}},
		{name: "no executor for the quota", docs: []string{hub(`server: {}, executor: {instances: 2, cores: 1, memory: 1g}`, isReady), server("", up), service(chosen), quota +
			`status: {hard: {requests.cpu: "1"}, used: {requests.cpu: "1"}}`}, log: started,
			class: cause.Quota, says: []string{"2 more executors (1 requests.cpu each) need 2 more than ResourceQuota team has left (1 of 1 used)"}},
		{name: "executors counted by the status alone", docs: []string{hub(hubSpec, isReady+", executors: {running: 2}"), server("", up)},
			files: true, log: started,
			class: cause.RunningNormally, proven: true, says: []string{"2 of 2"}},

		{name: "quota refuses the server a moment ago", docs: []string{hubAt("11:59", hubSpec, "")},
			said: "failed to create or update server pod: pods \"hub-server\" is forbidden: exceeded quota: team", class: cause.Quota, proven: true},
		{name: "quota wants a limit that nothing sets", docs: []string{hub(hubSpec, ""), conf, quota + `status: {hard: {limits.cpu: "8"}, used: {limits.cpu: "1"}}`},
			class: cause.Quota, says: []string{"must specify limits.cpu", "resources.limits.cpu of the container in spec.server.template"}},
		{name: "quota wants a limit that a LimitRange sets", docs: []string{hub(hubSpec, ""), conf, quota + `status: {hard: {limits.cpu: "8"}, used: {limits.cpu: "1"}}`,
			"\napiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: team-a}\n" +
				"spec: {limits: [{type: Container, default: {cpu: \"1\"}}]}"},
			class: cause.Unknown, says: []string{"ConfigMap hub-conf exists, but does not create server pod hub-server"},
			not: []string{"must specify"}},
		{name: "account is not in the files", docs: []string{hub(`server: {template: {spec: {serviceAccountName: spark}}}, executor: {}`, ""), conf}, files: true,
			class: cause.Unknown, not: []string{"spark does not exist"}},
		{name: "image in the template", docs: []string{strings.Replace(hub(`server: {template: {spec: {containers: [{name: main, image: i}]}}}, executor: {}`, ""),
			`image: "spark:4.0.1", `, "", 1), conf}, class: cause.Unknown, not: []string{"names no image"}},
		{name: "Service without a name, by the operator's log", docs: []string{hub(`server: {service: {spec: {type: NodePort}}}, executor: {}`, ""), server("", up), conf},
			said:  `failed to create or update server service: Service \"\" is invalid: metadata.name: Required value`,
			class: cause.Configuration, says: []string{"spec.server.service has no metadata.name", "Required value"}},
		{name: "never taken up", docs: []string{hub(hubSpec, "")}, class: cause.Unknown,
			says: []string{"has not written a status for 60 min", "kubectl sparkdoctor scan -n team-a"}},

		{name: "Ready without a pod", docs: []string{hub(hubSpec, isReady), conf}, class: cause.ObserverMissed,
			says: []string{"there is no server pod hub-server"}},
		{name: "deleted", docs: []string{strings.Replace(hub(hubSpec, isReady), "generation: 1", `generation: 2, deletionTimestamp: "2026-11-23T11:50:00Z", finalizers: [example.org/keep]`, 1),
			server("", up)}, class: cause.StoppedByUser, proven: true,
			says: []string{"the SparkConnect was deleted 10 min ago", "example.org/keep"}},
	}
	for _, c := range fixtures(t) {
		const log = "team-a_hub-server_spark-kubernetes-driver.log"
		_, logged := c.Logs[log]
		others := len(c.Logs) > 1 || len(c.Logs) == 1 && !logged // logs of other pods than the server's are not part of these cases
		if c.Subject().Kind == "SparkConnect" && !others {
			cases = append(cases, connectCase{name: c.ID, docs: strings.Split(c.ObjectsYAML, "\n---\n"),
				log: strings.TrimSpace(c.Logs[log]), said: c.Said, files: !c.Complete,
				class: c.Class, proven: c.Certainty == check.Proven.String(), says: c.MustMention, not: c.MustNotClaim})
		}
	}
	return cases
}

func TestConnect(t *testing.T) {
	for _, c := range connectCases(t) {
		t.Run(c.name, func(t *testing.T) {
			f := why.Open(c.evidence(t))
			text := corpus.Text(f.Verdict())
			require.Equal(t, c.class, f.Verdict().Class, text)
			require.Equal(t, c.proven, f.Verdict().Certainty == check.Proven, text)
			for _, word := range c.says {
				require.Contains(t, text, word)
			}
			for _, word := range append(c.not, "the driver", "driver.memory", "driver.core", "applicationState", "<nil>", "mainClass") {
				require.NotContains(t, text, word)
			}
		})
	}
}

// TestConnectWithLessEvidence leaves one object out at a time. Files may lack anything: what is missing from them proves no fault, and no
// answer becomes one of another fault.
func TestConnectWithLessEvidence(t *testing.T) {
	tried := 0
	for _, c := range connectCases(t) {
		for i := 1; i < len(c.docs); i++ {
			less := c
			less.docs, less.files = slices.Delete(slices.Clone(c.docs), i, i+1), true
			f := why.Open(less.evidence(t))
			v := f.Verdict()
			tried++
			if v.Class.Fault() && v.Class != cause.Unknown && v.Certainty == check.Proven {
				require.Equal(t, c.class, v.Class, "%s without %s: %s", c.name, c.docs[i], v.Message)
			}
		}
	}
	require.Greater(t, tried, 60)
}

func TestConnectInAnyOrder(t *testing.T) {
	for _, c := range connectCases(t) {
		turned := c
		turned.docs = slices.Clone(c.docs)
		slices.Reverse(turned.docs)
		require.Equal(t, why.Open(c.evidence(t)), why.Open(turned.evidence(t)), c.name)
	}
}

// TestConnectBesideAnApplication: an application of the same name, and pods of others, are no part of it.
func TestConnectBesideAnApplication(t *testing.T) {
	c := connectCases(t)[0]
	c.docs = append(c.docs, `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: hub, namespace: team-a, uid: app}
spec: {}
status: {applicationState: {state: FAILED, errorMessage: "driver container failed with ExitCode: 137, Reason: OOMKilled"}}`, `
apiVersion: v1
kind: Pod
metadata: {name: hub-driver, namespace: team-a, labels: {spark-role: driver, sparkoperator.k8s.io/app-name: hub, spark-app-selector: q}}
spec: {containers: [{name: spark-kubernetes-driver}]}
status: {phase: Failed}`, strings.NewReplacer("hub", "hub-two", "uid: server", "uid: other").Replace(executorOf("r", "7", "11:00", ended)))
	f := why.Open(c.evidence(t))
	require.Equal(t, cause.RunningNormally, f.Verdict().Class)
	require.Contains(t, f.Verdict().Message, "2 of 2")
	require.Equal(t, "Ready", f.State.Word)
	require.Empty(t, f.Attempts)
}
