package manifests

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func fromText(t *testing.T, text string, o Options) (*snapshot.Snapshot, Input) {
	t.Helper()
	o.Paths, o.Stdin = []string{"-"}, strings.NewReader(text)
	if o.Now.IsZero() {
		o.Now = later
	}
	s, in, err := Read(t.Context(), o)
	require.NoError(t, err)
	return s, in
}

func TestFileCoverage(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, labels: {sparkoperator.k8s.io/launched-by-spark-operator: %s}}\n"
	for name, c := range map[string]struct {
		text     string
		complete bool
		view     snapshot.View
		want     snapshot.State
		pods     int
		unread   int
	}{
		"there":               {text: appA, view: snapshot.SparkApplications, want: snapshot.Complete},
		"not there":           {text: appA, view: snapshot.SparkPods, want: snapshot.NotInput},
		"not there, complete": {text: appA, complete: true, view: snapshot.SparkPods, want: snapshot.Complete},
		"an empty typed list": {text: appA + "---\n{apiVersion: v1, kind: PodList, items: []}\n", view: snapshot.SparkPods,
			want: snapshot.Complete},
		"an empty List says nothing": {text: appA + "---\n{apiVersion: v1, kind: List, items: []}\n", view: snapshot.SparkPods,
			want: snapshot.NotInput},
		"a pod of Spark": {text: strings.ReplaceAll(pod, "%s", `"true"`), view: snapshot.SparkPods, want: snapshot.Complete,
			pods: 1},
		"a pod of others":           {text: strings.ReplaceAll(pod, "%s", `"false"`), view: snapshot.SparkPods, want: snapshot.Complete},
		"a label that is no string": {text: strings.ReplaceAll(pod, "%s", "true"), view: snapshot.SparkPods, want: snapshot.Complete},
		"a pod that does not decode": {text: strings.ReplaceAll(pod, "%s", `"true"`) + "spec: []\n", view: snapshot.SparkPods,
			want: snapshot.Partial},
		"kinds that no check reads": {text: appA + "---\n{apiVersion: v1, kind: LimitRange, metadata: {name: nn}}\n",
			view: snapshot.SparkApplications, want: snapshot.Complete, unread: 1},
		"an application of elsewhere": {text: appA + "---\n{apiVersion: spark.apache.org/v1, kind: SparkApplication, metadata: {name: nn}}\n",
			view: snapshot.SparkApplications, want: snapshot.Complete, unread: 1},
	} {
		t.Run(name, func(t *testing.T) {
			s, in := fromText(t, c.text, Options{Complete: c.complete})
			require.Equal(t, c.want.String(), s.Coverage(c.view).State.String())
			require.Len(t, s.SparkPods(), c.pods)
			require.Equal(t, c.unread, in.Unread)
		})
	}
}

func TestMalformedApplication(t *testing.T) {
	for name, c := range map[string]struct{ field, want string }{
		"executorState is a list":   {"status: {executorState: [a, b]}", "status.executorState is a list, not an object"},
		"executorState is a string": {"status: {executorState: x}", "status.executorState is a string, not an object"},
		"a state is a number": {"status: {executorState: {a-exec-1: 7}}",
			"status.executorState.a-exec-1 is a number, which does not belong there"},
		"spec is a list":     {"spec: []", "spec is a list, which does not belong there"},
		"instances in words": {`spec: {executor: {instances: "two"}}`, "spec.executor.instances is a string, which does not belong there"},
		"a date in words":    {"status: {terminationTime: yesterday}", `status.terminationTime is "yesterday", no RFC 3339 time`},
		"a date before year 0": {`status: {terminationTime: "0000-01-01T00:00:00+10:00"}`,
			`status.terminationTime is "0000-01-01T00:00:00+10:00", which is out of range`},
		"a date after 9999": {`status: {terminationTime: "9999-12-31T23:59:59-10:00"}`,
			`status.terminationTime is "9999-12-31T23:59:59-10:00", which is out of range`},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := fromText(t, "---\n"+appA+c.field+"\n", Options{})
			require.Len(t, s.SparkApplications(), 1)
			require.Equal(t, "ns", s.SparkApplications()[0].Namespace)
			require.Equal(t, c.want, s.SparkApplications()[0].Malformed)
			cover := s.Coverage(snapshot.SparkApplications)
			require.Equal(t, snapshot.Partial, cover.State)
			require.Equal(t, []snapshot.Unseen{{
				Verb: "decode", Resource: "sparkapplications.sparkoperator.k8s.io", Namespace: "ns", Name: "a",
				Reason: "stdin: document 1, line 2: " + c.want,
			}}, cover.Unseen)
		})
	}
}

func TestTakenAt(t *testing.T) {
	created := func(at string) string {
		return strings.Replace(appA, "name: a,", `name: a, creationTimestamp: "`+at+`",`, 1)
	}
	deleted := strings.Replace(created("2026-01-01T00:00:00Z"), "name: a,",
		`name: a, deletionTimestamp: "2026-01-02T00:00:30Z", deletionGracePeriodSeconds: 30,`, 1)
	event := "apiVersion: v1\nkind: Event\nreason: OwnerRefInvalidNamespace\nmetadata: {name: e, namespace: ns}\nlastTimestamp: " +
		"\"2026-01-03T00:00:00Z\"\nfirstTimestamp: \"2026-01-03T00:00:00Z\"\n"
	for name, c := range map[string]struct {
		text, asOf, want string
	}{
		"the latest": {created("2026-01-01T00:00:00Z") + "---\n" + event, "", "2026-01-03T00:00:00Z"},
		"of any kind": {appA + "---\n{apiVersion: v1, kind: LimitRange, metadata: {name: x, creationTimestamp: " +
			"\"2026-01-04T00:00:00+02:00\"}}\n", "", "2026-01-03T22:00:00Z"},
		"of a dependent": {appA + "---\n{apiVersion: v1, kind: Service, metadata: {name: x, creationTimestamp: " +
			"\"2026-01-04T00:00:00Z\"}}\n", "", "2026-01-04T00:00:00Z"},
		"of an event that no check reads": {created("2026-01-01T00:00:00Z") + "---\n{apiVersion: v1, kind: Event, reason: BackOff, " +
			"metadata: {name: e, namespace: ns, creationTimestamp: \"2026-01-01T00:00:09Z\"}, lastTimestamp: \"2026-01-01T03:00:41Z\"}\n",
			"", "2026-01-01T03:00:41Z"},
		"of a series": {created("2026-01-01T00:00:00Z") + "---\n{apiVersion: events.k8s.io/v1, kind: Event, reason: BackOff, " +
			"metadata: {name: e, namespace: ns}, eventTime: \"2026-01-01T00:00:09.000000Z\", " +
			"series: {lastObservedTime: \"2026-01-01T03:00:41.123456Z\"}}\n", "", "2026-01-01T03:00:41Z"},
		"of a status": {appA + "---\n{apiVersion: v1, kind: Node, metadata: {name: n}, status: {conditions: [{type: Ready, " +
			"lastHeartbeatTime: \"2026-01-01T03:00:41Z\"}]}}\n", "", "2026-01-01T03:00:41Z"},
		"not of what is to be": {created("2026-01-01T00:00:00Z") + "---\n{apiVersion: cert-manager.io/v1, kind: Certificate, " +
			"metadata: {name: c, namespace: ns, annotations: {checkedAt: \"2026-04-01T00:00:00Z\"}}, " +
			"spec: {startTime: \"2026-03-01T00:00:00Z\"}, status: {renewalTime: \"2026-02-01T00:00:00Z\"}}\n", "", "2026-01-01T00:00:00Z"},
		"not of a kind that is not read": {created("2026-01-01T00:00:00Z") + "---\n{apiVersion: example.com/v1, kind: Plan, " +
			"metadata: {name: c, namespace: ns}, status: {checkTime: \"2026-02-01T00:00:00Z\"}}\n", "", "2026-01-01T00:00:00Z"},
		"deletion minus its grace": {deleted, "", "2026-01-02T00:00:00Z"},
		"stated":                   {created("2026-01-01T00:00:00Z"), "2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		"none":                     {appA, "", "2030-01-01T00:00:00Z"},
		"year 0":                   {created("0000-01-01T00:00:00Z"), "", "2030-01-01T00:00:00Z"},
		"year 1":                   {created("0001-01-01T00:00:00Z"), "", "2030-01-01T00:00:00Z"},
		"year 9999":                {created("9999-12-31T23:59:59Z") + "---\n" + event, "", "2026-01-03T00:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{}
			if c.asOf != "" {
				var err error
				o.AsOf, err = time.Parse(time.RFC3339, c.asOf)
				require.NoError(t, err)
			}
			s, in := fromText(t, c.text, o)
			require.Equal(t, c.want, s.TakenAt.Format(time.RFC3339))
			require.Equal(t, c.asOf == "" && c.want != "2030-01-01T00:00:00Z", in.Dated)
		})
	}
}

// TestOwnersInFiles holds that every object of the files is known as an owner, whatever view it belongs to.
func TestOwnersInFiles(t *testing.T) {
	for name, owner := range map[string]string{
		"a Deployment":             "apiVersion: apps/v1\nkind: Deployment\n",
		"an ordinary ConfigMap":    "apiVersion: v1\nkind: ConfigMap\n",
		"a kind that nobody reads": "apiVersion: example.com/v1\nkind: Job\n",
		"an ordinary Pod":          "apiVersion: v1\nkind: Pod\n",
		"a Workflow":               "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\n",
		"a broken Workflow":        "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: []\n",
	} {
		t.Run(name, func(t *testing.T) {
			kind := strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(owner, "\n"), "\nspec: []"), "\n", ", ")
			owned := strings.Replace(appA, "name: a,", "name: a, ownerReferences: [{"+kind+", name: o, uid: u1}, {"+kind+", name: gone, uid: u2}],",
				1)
			s, _ := fromText(t, owned+"---\n"+owner+"metadata: {name: o, namespace: ns, uid: u1}\n", Options{Complete: true})
			a := s.SparkApplications()[0]
			require.Len(t, a.Owners, 2)
			require.Equal(t, snapshot.Valid, s.Ownership().Resolve(&a.Object, a.Owners[0]).Verdict)
			require.Equal(t, snapshot.Missing, s.Ownership().Resolve(&a.Object, a.Owners[1]).Verdict)
		})
	}
	t.Run("one that does not decode is not missing", func(t *testing.T) {
		owned := strings.Replace(appA, "name: a,", "name: a, ownerReferences: [{apiVersion: v1, kind: Node, name: o, uid: u1}],", 1)
		s, _ := fromText(t, owned+"---\napiVersion: v1\nkind: Node\nmetadata: {name: o, uid: 7}\n", Options{Complete: true})
		a := s.SparkApplications()[0]
		require.Equal(t, snapshot.Unjudged, s.Ownership().Resolve(&a.Object, a.Owners[0]).Verdict)
		require.Equal(t, snapshot.Partial, s.Coverage(snapshot.Owners).State)
		require.Equal(t, "stdin: document 2, line 5: metadata.uid is a number, which does not belong there",
			s.Coverage(snapshot.Owners).Unseen[0].Reason)
	})
}
