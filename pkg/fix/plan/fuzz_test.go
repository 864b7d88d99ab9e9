package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// mayBeSent is written down apart from the table: all that a step of any file may do, as KIND VERB [SUBRESOURCE] POINTER.
func mayBeSent() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join([]string{
		`(?:Pod|Secret|Service|Ingress|ConfigMap|SparkApplication|MutatingWebhookConfiguration|ValidatingWebhookConfiguration) delete`,
		`Pod patch /metadata/ownerReferences(?:/(?:\d+|-))?`,
		`(?:SparkApplication|ScheduledSparkApplication|SparkConnect|Service|Ingress|ConfigMap|PersistentVolumeClaim|PodGroup) patch /metadata/ownerReferences/\d+`,
		`(?:SparkApplication|ScheduledSparkApplication|SparkConnect|Pod|Service|Ingress|ConfigMap|PersistentVolumeClaim|PodGroup) patch /metadata/annotations(?:/sparkdoctor.io~1former-owner)?`,
		`SparkApplication patch /metadata/annotations(?:/sparkdoctor.io~1kicked-at|/kubectl.kubernetes.io~1last-applied-configuration)?`,
		`(?:SparkApplication|ScheduledSparkApplication|SparkConnect|Pod) patch /metadata/finalizers/\d+`,
		`SparkApplication patch status /status/executorState(?:/[a-z0-9.-]+)?`,
		`MutatingWebhookConfiguration patch /metadata/annotations(?:/sparkdoctor.io~1reasserted-at)?`,
		`MutatingWebhookConfiguration patch /webhooks/\d+/(?:failurePolicy|clientConfig/caBundle)`,
		// above it only what is not there,
		`Deployment patch /spec(?:/template(?:/metadata(?:/annotations(?:/kubectl.kubernetes.io~1restartedAt)?)?)?)?`,
	}, "|") + `)$`)
}

// holdsTo fails unless all that an intent would send, in a world where everything is as its steps say, may be sent.
func holdsTo(t *testing.T, i fix.Intent, shown []fix.Step) {
	t.Helper()
	for _, going := range []bool{false, true} {
		steps, err := fix.Resolve(i, worldOf(t, i, shown, going))
		if err != nil {
			continue
		}
		for _, s := range steps {
			require.NoError(t, s.Permitted())
			require.NotEmpty(t, s.Target.UID)
			if s.Delete {
				require.Regexp(t, mayBeSent(), s.Target.Kind+" delete")
			}
			for _, op := range s.Patch() {
				if op.Op != "test" {
					require.Regexp(t, mayBeSent(), strings.Join(strings.Fields(fmt.Sprint(s.Target.Kind, " patch ", s.Subresource, " ", op.Path)), " "))
				}
			}
		}
	}
}

// worldOf are the objects of an intent, with the old values of what is shown.
func worldOf(t *testing.T, i fix.Intent, shown []fix.Step, going bool) fix.Fresh {
	t.Helper()
	f := fix.NewFresh()
	for _, r := range fix.TraitsOf(i).Reads {
		o := &fix.Object{Object: map[string]any{"apiVersion": r.Ref.APIVersion, "kind": r.Ref.Kind,
			"metadata": map[string]any{"name": r.Ref.Name, "namespace": r.Ref.Namespace, "uid": r.Ref.UID, "resourceVersion": "1"}}}
		if going {
			require.NoError(t, fix.Change{Path: fix.Path{"metadata", "deletionTimestamp"}, New: "2026-11-21T00:00:00Z"}.Apply(o.Object))
		}
		for _, s := range shown {
			for _, c := range s.Changes {
				if back, ok := i.(fix.Restore); ok && back.Of != "" {
					c.Old = c.New
				}
				if s.Target.Key() == r.Ref.Key() && c.Old != nil {
					_ = fix.Change{Path: c.Path, New: c.Old}.Apply(o.Object)
				}
			}
			for _, h := range s.Preconditions {
				_ = fix.Change{Path: h.Path, New: h.Value}.Apply(o.Object)
			}
		}
		f.Put(o)
	}
	return f
}

func FuzzReadPlan(f *testing.F) {
	seed := func(world string, i fix.Intent) {
		r := ResolvedFrom(Candidate{Finding: Finding{Name: oneName, Check: "SD2001"}, Intent: i}, cluster(f, world))
		require.NoError(f, r.Err)
		text, err := json.Marshal(NewPlan(Cluster{UID: "c"}, aTime(), []Resolved{r}, nil))
		require.NoError(f, err)
		_, err = ReadPlan(bytes.NewReader(text))
		require.NoError(f, err, "what fix writes is read")
		f.Add(text)
	}
	running := anApplication("app", anOwner+", annotations: {kubectl.kubernetes.io/last-applied-configuration: x}", "", "s1", "RUNNING",
		"e-exec-1: COMPLETED, e-exec-2: FAILED")
	seed(running, fix.PruneExecutorState{Application: app(), Submission: "s1"})
	seed(running, fix.StripOwner{Dependent: app(), Owner: snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "a", Name: "o",
		UID: "o1"}})
	seed(running, fix.Touch{Application: app(), State: "RUNNING", At: aTime(), Quiet: true})
	seed(running, fix.DropAnnotation{Object: app(), Key: fix.LastAppliedAnnotation})
	seed(running+fmt.Sprintf(aDriver, "", "Running"), fix.AddOwner{Pod: pod("etl-driver"), Application: app()})
	seed(fmt.Sprintf(aDriver, "", "Running"), fix.DeleteObject{Object: pod("etl-driver"), Running: true})
	seed(anApplication("app", finalize+deleted, "", "s1", "COMPLETED", ""), fix.RemoveFinalizer{Object: app(), Name: "x"})
	seed(aConfiguration(""), fix.ReassertBundle{Configuration: configuration(), At: aTime(),
		Fallback: fix.Restart{Deployment: deployment(), At: aTime()}})
	seed(aConfiguration("")+fmt.Sprintf(aSecret, "bmV3"), fix.PatchBundle{Configuration: configuration(),
		Webhooks: []string{"w1.sparkoperator.k8s.io"}, Secret: secret(), Key: "ca-cert.pem"})
	seed(aConfiguration(", failurePolicy: Ignore, objectSelector: {matchLabels: {a: b}}"),
		fix.SetFailurePolicy{Configuration: configuration(), Webhooks: []string{"w1.sparkoperator.k8s.io"}, Operator: "op"})
	seed(fmt.Sprintf(aDeployment, 1, "")+aLease, fix.Restart{Deployment: deployment(), At: aTime(), Lease: "lock"})
	f.Add([]byte("apiVersion: sparkdoctor.io/v1alpha1\nkind: FixPlan\ncluster: {uid: c}\nfixes:\n- {id: 1, after: [99], wish: {kick: {}}}\n"))
	f.Add([]byte(`{"apiVersion":"sparkdoctor.io/v1alpha1","kind":"FixPlan","cluster":{"uid":"c"},"fixes":[{"id":1,"wish":{"restore":{"object":{"kind":"ClusterRole","name":"x"}}}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		defer allocated.Bound(t, len(text))()
		p, err := ReadPlan(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, f := range p.Fixes {
			intent := f.Intent(false)
			holdsTo(t, intent, f.Steps)
			_, err := f.Text()
			require.NoError(t, err)
			c, err := f.Again([]Candidate{{Intent: f.Spec.Intent()}})
			require.NoError(t, err, "it is the same as itself")
			r := f.ResolvedWithin(c, worldOf(t, c.Intent, f.Steps, false))
			if r.Err == nil {
				require.True(t, fix.Within(f.Steps, r.Steps))
			}
		}
		_ = p.Applicable()
		_ = p.Permissions()
	})
}

func FuzzReadRecord(f *testing.F) {
	held := []fix.Precondition{{Path: fix.Path{"status", "submissionID"}, Value: "s1"}}
	reference := map[string]any{"apiVersion": app().APIVersion, "kind": "SparkApplication", "name": "etl", "uid": "app", "controller": true}
	h, err := json.Marshal(header(Planned{ID: 1, Title: "x"}))
	require.NoError(f, err)
	for _, s := range []fix.Step{
		{Target: app(), Subresource: "status", Preconditions: held, Changes: []fix.Change{{Path: fix.Path{"status", "executorState", "e-1"},
			Old: "FAILED"}}},
		{Target: pod("p"), Changes: []fix.Change{{Path: fix.Path{"metadata", "ownerReferences", "[uid=app]"}, New: reference}}},
		{Target: configuration(), Changes: []fix.Change{{Path: fix.Path{"webhooks", "[name=w1.sparkoperator.k8s.io]", "failurePolicy"},
			Old: "Ignore", New: "Fail"}}},
		{Target: configuration(), Changes: []fix.Change{{Path: fix.Path{"webhooks", "[name=w1.sparkoperator.k8s.io]", "clientConfig", "caBundle"},
			Old: "b2xk", New: "bmV3"}}},
		{Target: pod("p"), Delete: true},
		{Target: pod("p"), Changes: []fix.Change{{Path: fix.Path{"metadata", "annotations", "a"}, New: "1"}}},
	} {
		entry, err := json.Marshal(Begin(1, Fix{ID: 1, Title: "x"}, s, aTime()))
		require.NoError(f, err)
		f.Add(lines(h, entry))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer allocated.Bound(t, len(text))()
		r, err := ReadRecord(bytes.NewReader(text))
		if err != nil {
			return
		}
		back, left := r.Undo("kubectl-sparkdoctor")
		for _, c := range back {
			restore, ok := c.Intent.(fix.Restore)
			require.True(t, ok)
			step := fix.Step{Target: restore.Object, Subresource: restore.Subresource, Changes: restore.Changes,
				Preconditions: restore.Preconditions}
			holdsTo(t, restore, []fix.Step{step})
		}
		for _, l := range left {
			require.NotEmpty(t, l.Reason)
		}
	})
}

func lines(list ...[]byte) []byte { return append(bytes.Join(list, []byte("\n")), '\n') }
