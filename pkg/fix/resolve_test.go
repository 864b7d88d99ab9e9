package fix

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// cluster is a set of objects, one a YAML document.
func cluster(t testing.TB, documents string) Fresh {
	t.Helper()
	f := NewFresh()
	lists := map[Read][]*Object{}
	for _, text := range strings.Split(documents, "\n---\n") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		o := &Object{}
		asJSON, err := yaml.YAMLToJSON([]byte(text))
		require.NoError(t, err, text)
		require.NoError(t, utiljson.Unmarshal(asJSON, &o.Object), text) // numbers as a client reads them
		f.Put(o)
		if name := o.GetLabels()[snapshot.AppNameLabel]; name != "" {
			r := Read{Ref: snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace()},
				Selector: snapshot.AppNameLabel + "=" + name}
			lists[r] = append(lists[r], o)
		}
	}
	for r, list := range lists {
		f.PutList(r, list)
	}
	return f
}

func app() snapshot.Ref {
	return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: "etl", UID: "app"}
}

func pod(name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: name, UID: "pod"}
}

func aTime() time.Time { return time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC) }

func deployment() snapshot.Ref {
	return snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "op", Name: "webhook", UID: "d"}
}

func secret() snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Secret", Namespace: "op", Name: "certs", UID: "s"}
}

const (
	anApp = "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {namespace: a, name: etl, uid: %s%s}\nspec: " +
		"{mode: cluster%s}\nstatus: {submissionID: %s, applicationState: {state: %s}, executorState: {%s}}\n---\n"
	aDriver = "apiVersion: v1\nkind: Pod\nmetadata: {namespace: a, name: etl-driver, uid: pod, creationTimestamp: " +
		"\"2026-11-21T00:00:00Z\", labels: {sparkoperator.k8s.io/app-name: etl, sparkoperator.k8s.io/submission-id: s1, spark-role: " +
		"driver}%s}\nstatus: {phase: %s}\n---\n"
	deleted  = ", deletionTimestamp: \"2026-11-21T00:00:00Z\""
	anOwner  = ", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: o, uid: o1}]"
	finalize = ", finalizers: [x, other]"
)

func anApplication(uid, metadata, spec, submission, state, executors string) string {
	return fmt.Sprintf(anApp, uid, metadata, spec, submission, state, executors)
}

// TestResolve: what each wish becomes in each state of the world that it may meet.
func TestResolve(t *testing.T) {
	at := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	running := anApplication("app", "", "", "s1", "RUNNING", "e-exec-1: COMPLETED, e-exec-2: FAILED, e-exec-3: RUNNING, e-exec-10: UNKNOWN")
	owner := snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "a", Name: "o", UID: "o1"}
	prune := PruneExecutorState{Application: app(), Submission: "s1", Keep: 1}
	strip := StripOwner{Dependent: app(), Owner: owner, Home: "b"}
	adopt := AddOwner{Pod: pod("etl-driver"), Application: app()}
	release := RemoveFinalizer{Object: app(), Name: "x"}
	releaseDriver := RemoveFinalizer{Object: pod("etl-driver"), Name: "x",
		App: snapshot.Ref{APIVersion: app().APIVersion, Kind: app().Kind, Namespace: "a", Name: "etl"}}
	remove := DeleteObject{Object: pod("etl-driver"), Why: "gone",
		Absent: []snapshot.Ref{{APIVersion: app().APIVersion, Kind: app().Kind, Namespace: "a", Name: "etl"}}, MadeBefore: at}
	ended := strings.Replace(anApplication("app", "", "", "s1", "FAILED", ""), "status: {",
		`status: {terminationTime: "2026-11-20T00:00:00Z", `, 1)
	removeApp := DeleteObject{Object: app(), Why: "old", EndedBefore: at}
	const aService = "apiVersion: v1\nkind: Service\nmetadata: {namespace: a, name: etl-ui-svc, uid: svc, creationTimestamp: " +
		"\"2026-11-18T03:00:00Z\"}\n---\n"
	leftover := DeleteObject{
		Object: snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: "a", Name: "etl-ui-svc", UID: "svc"}, Ownerless: true,
		MadeBefore: at.Add(-24 * time.Hour),
		Absent:     []snapshot.Ref{{APIVersion: app().APIVersion, Kind: app().Kind, Namespace: "a", Name: "etl"}},
	}
	kick := Touch{Application: app(), State: "RUNNING", At: at}
	for _, tc := range []struct {
		name   string
		intent Intent
		world  string
		want   string // changes, or the error
	}{
		{"the oldest that ended", prune, running, `status.executorState["e-exec-1"]: removed (was COMPLETED); status.executorState["e-exec-2"]: removed (was FAILED)`},
		{"not those that have a pod", prune, running + strings.ReplaceAll(fmt.Sprintf(aDriver, "", "Succeeded"), "etl-driver", "e-exec-1"),
			`status.executorState["e-exec-2"]: removed (was FAILED)`},
		{"nothing but what is kept", PruneExecutorState{Application: app(), Submission: "s1", Keep: 3}, running,
			"refused: 3 of 4 entries are of executors that ended and have no pod, and the newest 3 of these are kept"},
		{"another submission", prune, anApplication("app", "", "", "s2", "RUNNING", ""),
			"stale: SparkApplication a/etl was submitted again (s2, was s1), which starts with an empty executorState"},
		{"executors elsewhere", prune, anApplication("app", "", `, sparkConf: {spark.kubernetes.namespace: b}`, "s1", "RUNNING",
			"e-exec-1: FAILED"), "refused: its executors run in namespace b (sparkConf spark.kubernetes.namespace), so sparkdoctor cannot " +
			"see which of them exist"},
		{"replaced", prune, anApplication("other", "", "", "s1", "RUNNING", ""),
			"stale: SparkApplication a/etl was replaced by another object of that name"},
		{"gone", prune, "", "stale: SparkApplication a/etl does not exist any more"},

		{"strip", strip, anApplication("app", anOwner, "", "s1", "RUNNING", ""),
			`metadata.ownerReferences[uid=o1]: removed (was {"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"o1"}); metadata.annotations["sparkdoctor.io/former-owner"]: set to ConfigMap b/o, UID o1`},
		{"owner that is there", strip, anApplication("app", anOwner, "", "s1", "RUNNING", "") +
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: a, name: o, uid: o1}", "stale: its owner ConfigMap a/o exists after all"},
		{"another owner of that name", strip, anApplication("app", anOwner, "", "s1", "RUNNING", "") +
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: a, name: o, uid: o2}", `metadata.ownerReferences[uid=o1]: removed`},
		{"no such reference", strip, running, "done: it has no reference to ConfigMap with UID o1 any more"},
		{"strip what goes", strip, anApplication("app", anOwner+deleted, "", "s1", "RUNNING", ""),
			"stale: SparkApplication a/etl is being deleted"},

		{"adopt", adopt, running + fmt.Sprintf(aDriver, "", "Running"),
			`metadata.ownerReferences[uid=app]: set to {"apiVersion":"sparkoperator.k8s.io/v1beta2","blockOwnerDeletion":true,"controller":true,"kind":"SparkApplication","name":"etl","uid":"app"}`},
		{"adopted", adopt, running + fmt.Sprintf(aDriver, ", ownerReferences: [{apiVersion: v1, kind: X, name: etl, uid: app}]", "Running"),
			"done: Pod a/etl-driver has the reference"},
		{"controlled by another", adopt, running + fmt.Sprintf(aDriver,
			", ownerReferences: [{apiVersion: v1, kind: Job, name: j, uid: j, controller: true}]", "Running"),
			"refused: Job j controls it, and an object has one controller"},
		{"of another submission", adopt, anApplication("app", "", "", "s2", "RUNNING", "") + fmt.Sprintf(aDriver, "", "Running"),
			`stale: it is of submission "s1", and SparkApplication a/etl is at "s2"`},
		{"application that goes", adopt, anApplication("app", deleted, "", "s1", "RUNNING", "") + fmt.Sprintf(aDriver, "", "Running"),
			"refused: SparkApplication a/etl is being deleted, and the garbage collector would stop the driver with it"},

		{"finalizer", release, anApplication("app", finalize+deleted, "", "s1", "COMPLETED", ""), "metadata.finalizers[=x]: removed (was x)"},
		{"finalizer of a living", release, anApplication("app", finalize, "", "s1", "COMPLETED", ""),
			"stale: SparkApplication a/etl is not being deleted"},
		{"finalizer that is gone", RemoveFinalizer{Object: app(), Name: "z"}, anApplication("app", finalize+deleted, "", "s1", "COMPLETED", ""),
			"done: SparkApplication a/etl does not have finalizer z any more"},
		{"finalizer, object gone", release, "", "done: SparkApplication a/etl is gone"},
		{"finalizer that guards disks", RemoveFinalizer{Object: app(), Name: "external-attacher/ebs"},
			anApplication("app", finalize+deleted, "", "s1", "COMPLETED", ""),
			"refused: finalizer external-attacher/ebs guards something outside of the object, which would be lost"},
		{"finalizer while the driver runs", release, anApplication("app", finalize+deleted, "", "s1", "RUNNING", "") +
			fmt.Sprintf(aDriver, ", ownerReferences: [{uid: app}]", "Running"),
			"refused: what the finalizer may guard is still there: Pod a/etl-driver"},
		{"finalizer, driver ended", release, anApplication("app", finalize+deleted, "", "s1", "RUNNING", "") +
			fmt.Sprintf(aDriver, ", ownerReferences: [{uid: app}]", "Succeeded"), "metadata.finalizers[=x]: removed"},
		{"finalizer, driver of nobody", release, anApplication("app", finalize+deleted, "", "s1", "RUNNING", "") +
			fmt.Sprintf(aDriver, "", "Succeeded"), "refused: what the finalizer may guard is still there: Pod a/etl-driver"},
		{"driver's finalizer", releaseDriver, anApplication("app", "", "", "s1", "COMPLETED", "") +
			fmt.Sprintf(aDriver, finalize+deleted, "Succeeded"), "metadata.finalizers[=x]: removed"},
		{"driver's finalizer, application gone", releaseDriver, fmt.Sprintf(aDriver, finalize+deleted, "Succeeded"),
			"metadata.finalizers[=x]: removed"},
		{"driver's finalizer, not recorded", releaseDriver, running + fmt.Sprintf(aDriver, finalize+deleted, "Succeeded"),
			"refused: SparkApplication a/etl is RUNNING: its result is not recorded yet, and is lost with the pod"},

		{"orphan", remove, fmt.Sprintf(aDriver, "", "Failed"), "delete"},
		{"orphan that runs", remove, fmt.Sprintf(aDriver, "", "Running"), "stale: Pod a/etl-driver is Running"},
		{"orphan that was named", DeleteObject{Object: pod("etl-driver"), Running: true}, fmt.Sprintf(aDriver, "", "Running"), "delete"},
		{"orphan with an application", remove, running + fmt.Sprintf(aDriver, "", "Failed"), "stale: SparkApplication a/etl exists after all"},
		{"orphan of today", remove, strings.ReplaceAll(fmt.Sprintf(aDriver, "", "Failed"), "2026-11-21T00", "2026-11-21T04"),
			"refused: it was made at 2026-11-21T04:00:00Z, and only pods older than an hour are deleted"},
		{"orphan that goes", remove, fmt.Sprintf(aDriver, deleted, "Failed"), "done: Pod a/etl-driver is being deleted"},

		{"application that ended", removeApp, ended, "delete"},
		{"application that was never submitted", removeApp, strings.Replace(anApplication("app", ", creationTimestamp: \"2026-11-20T00:00:00Z\"",
			"", "", "FAILED", ""), "submissionID: ,", "", 1), "delete"},
		{"application that runs", removeApp, running, "stale: SparkApplication a/etl is RUNNING"},
		{"application that ended later", DeleteObject{Object: app(), EndedBefore: at.Add(-72 * time.Hour)}, ended,
			"refused: it ended at 2026-11-20T00:00:00Z, and only what ended before 2026-11-18T03:00:00Z is deleted"},
		{"application without a time to have ended by", DeleteObject{Object: app()}, ended,
			"refused: it ended at 2026-11-20T00:00:00Z, and only what ended before an unknown time"},
		{"application whose driver runs all the same", removeApp, ended + fmt.Sprintf(aDriver, "", "Running"),
			"refused: it is FAILED, and Pod a/etl-driver is Running all the same"},
		{"application whose driver ended", removeApp, ended + fmt.Sprintf(aDriver, "", "Failed"), "delete"},
		{"application with pods elsewhere", removeApp, strings.Replace(ended, "spec: {mode: cluster",
			"spec: {mode: cluster, sparkConf: {spark.kubernetes.namespace: b}", 1), "refused: its pods are in namespace b"},
		{"application that a tool applies", removeApp, strings.Replace(ended, "uid: app",
			"uid: app, managedFields: [{manager: kustomize-controller, operation: Apply, fieldsType: FieldsV1, fieldsV1: {f:spec: {f:mode: {}}}}]",
			1), "refused: field manager kustomize-controller applies it"},
		{"application made anew", removeApp, strings.Replace(ended, "uid: app", "uid: other", 1),
			"stale: SparkApplication a/etl was replaced by another object of that name"},
		{"application that goes", removeApp, strings.Replace(ended, "uid: app", "uid: app"+deleted, 1),
			"done: SparkApplication a/etl is being deleted"},
		{"schedule", DeleteObject{Object: snapshot.Ref{APIVersion: app().APIVersion, Kind: "ScheduledSparkApplication", Namespace: "a", Name: "s",
			UID: "s"}, EndedBefore: at}, "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: ScheduledSparkApplication\nmetadata: {namespace: a, " +
			"name: s, uid: s}\n---\n", "refused: object.kind: deleteObject writes no ScheduledSparkApplication.sparkoperator.k8s.io"},

		{"leftover", leftover, aService, "delete"},
		{"leftover that has an owner", leftover, strings.Replace(aService, "uid: svc", "uid: svc"+anOwner, 1),
			"stale: Service a/etl-ui-svc has an owner, ConfigMap o"},
		{"leftover with an application", leftover, aService + ended, "stale: SparkApplication a/etl exists after all"},
		{"leftover with a pod", leftover, aService + fmt.Sprintf(aDriver, "", "Succeeded"), "refused: Pod a/etl-driver may use it"},
		{"leftover of today", leftover, strings.Replace(aService, "2026-11-18", "2026-11-21", 1),
			"refused: it was made at 2026-11-21T03:00:00Z, and only what is older than a day is deleted"},
		{"leftover that a tool applies", leftover, strings.Replace(aService, "uid: svc",
			"uid: svc, managedFields: [{manager: helm, operation: Update, fieldsType: FieldsV1, fieldsV1: {f:spec: {}}}]", 1),
			"refused: field manager helm applies it"},

		{"kick", kick, running, `metadata.annotations["sparkdoctor.io/kicked-at"]: set to 2026-11-21T03:00:00Z`},
		{"kick what moved on", kick, anApplication("app", "", "", "s1", "COMPLETED", ""),
			"stale: SparkApplication a/etl is COMPLETED, no longer RUNNING"},
		{"kicked", kick, anApplication("app", `, annotations: {sparkdoctor.io/kicked-at: "2026-11-21T03:00:00Z"}`, "", "s1", "RUNNING", ""),
			"done: SparkApplication a/etl was kicked at 2026-11-21T03:00:00Z"},

		{"copy of the manifest", DropAnnotation{Object: app(), Key: LastAppliedAnnotation},
			anApplication("app", `, annotations: {kubectl.kubernetes.io/last-applied-configuration: "password: hunter2"}`, "", "s1", "RUNNING", ""),
			`metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]: removed`},
		{"copy that kubectl needs", DropAnnotation{Object: app(), Key: LastAppliedAnnotation},
			anApplication("app", `, annotations: {kubectl.kubernetes.io/last-applied-configuration: v}, managedFields: [{manager: kubectl-client-side-apply}]`, "", "s1", "RUNNING", ""), "refused: it was written by kubectl apply"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			steps, err := Resolve(tc.intent, cluster(t, tc.world))
			got := say(steps, err)
			require.True(t, strings.HasPrefix(got, tc.want), "%q does not begin with %q", got, tc.want)
			require.NotContains(t, got, "hunter2")
		})
	}
}

// say puts what Resolve returned into a line.
func say(steps []Step, err error) string {
	switch err := err.(type) { //nolint:errorlint // Resolve wraps none of its own errors
	case *Done:
		return "done: " + err.Reason
	case *Stale:
		return "stale: " + err.Reason
	case *Refused:
		return "refused: " + err.Reason
	case nil:
	default:
		return "error: " + err.Error()
	}
	var out []string
	for _, s := range steps {
		if s.Delete {
			out = append(out, "delete")
		}
		for _, c := range s.Changes {
			out = append(out, c.String())
		}
	}
	return strings.Join(out, "; ")
}

func TestPruneIsSplit(t *testing.T) {
	var states []string
	for i := range 5100 {
		states = append(states, fmt.Sprintf("e-exec-%d: COMPLETED", i))
	}
	steps, err := Resolve(PruneExecutorState{Application: app(), Submission: "s1"},
		cluster(t, anApplication("app", "", "", "s1", "RUNNING", strings.Join(states, ", "))))
	require.NoError(t, err)
	require.Len(t, steps, 2)
	require.Len(t, steps[0].Changes, 4900)
	require.Len(t, steps[1].Changes, 200)
	require.Less(t, len(steps[0].Patch()), 10000, "the API server takes no more operations")
	require.Contains(t, steps[0].Patch(), Operation{Op: "test", Path: "/status/submissionID", Value: "s1"})
	require.Equal(t, Path{"status", "executorState", "e-exec-0"}, steps[0].Changes[0].Path, "the oldest first")
}

// TestPruneTakesFewBytes: with names of 55 characters, as Spark makes them, half as much again as is removed; and about
// three times that if every entry is tested, because others write the object all the time.
func TestPruneTakesFewBytes(t *testing.T) {
	var states []string
	removed := 0
	for i := range 1000 {
		entry := fmt.Sprintf("%050d-exec-%d: COMPLETED", 0, 1000+i)
		removed += len(entry) + len(`"","`)
		states = append(states, entry)
	}
	world := cluster(t, anApplication("app", "", "", "s1", "RUNNING", strings.Join(states, ", ")))
	prune := PruneExecutorState{Application: app(), Submission: "s1"}
	plan, err := Resolve(prune, world)
	require.NoError(t, err)
	sent := map[bool]float64{}
	for _, busy := range []bool{false, true} {
		steps, err := Resolve(prune.within(plan, busy), world)
		require.NoError(t, err)
		text, err := json.Marshal(steps[0].Patch())
		require.NoError(t, err)
		sent[busy] = float64(len(text)) / float64(removed)
		require.Equal(t, !busy, strings.Contains(string(text), "resourceVersion"), "one or the other is insisted on")
		require.Equal(t, busy, strings.Contains(string(text), `"value":"COMPLETED"`))
	}
	require.Less(t, sent[false], 1.6)
	require.Less(t, sent[true], 3.3)
}
