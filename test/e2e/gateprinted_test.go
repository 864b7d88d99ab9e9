package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	read "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	testbuild "github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestGateKeepsItsWord renders the target exactly as the documentation says, asks for a verdict, upgrades, and asks the API server for
// every verb that was judged: what gate says may not be done is denied, and all else is allowed. It does so from each release of
// SPARKDOCTOR_OPERATORS to the next one, and to the newest.
func TestGateKeepsItsWord(t *testing.T) {
	t.Parallel()
	all := operators()
	if len(all) == 1 { // to itself there is no upgrade
		every := testbuild.OperatorVersions()
		at := max(slices.Index(every, all[0]), 1)
		all = every[at-1 : at+1]
	}
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: all[len(all)-1]})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	doctor := as(t, cp, build(t), "admin")
	_, err = cp.CreateApplication(t.Context(), controlplane.NewApplication("default", "etl"))
	require.NoError(t, err, "before there is a webhook, which here nobody serves")
	for i, from := range all[:len(all)-1] {
		for _, to := range slices.Compact([]string{all[i+1], all[len(all)-1]}) {
			t.Run(from+"-"+to, func(t *testing.T) {
				b := releases{cp: cp, doctor: doctor, dir: t.TempDir()}
				b.keepsItsWord(t, from, to)
			})
		}
	}
}

func (b releases) keepsItsWord(t *testing.T, from, to string) {
	t.Helper()
	cp := b.cp
	chart, err := testbuild.OperatorChart(t.Context(), from)
	require.NoError(t, err)
	b.copyChart(t, to, filepath.Join(b.dir, "spark-operator", "spark-operator"))
	for name, c := range map[string]struct{ values, verdict string }{
		"as-it-is":   {"{}", "GO"},
		"controller": {"controller: {rbac: {create: false}}", "NO-GO"},
		"webhook":    {"webhook: {rbac: {create: false}}", "NO-GO"},
	} {
		out, err := cp.Helm(t.Context(), "install", name, chart, "--namespace", name, "--create-namespace", "--no-hooks", "--skip-crds")
		require.NoError(t, err, out)
		values := "values-" + name + "-" + from + ".yaml"
		require.NoError(t, os.WriteFile(filepath.Join(b.dir, values), []byte(c.values), 0o600))
		b.must(t, fmt.Sprintf("helm template %s spark-operator/spark-operator --version %s -n %s -f %s --include-crds > target.yaml",
			name, to, name, values))
		o := b.doctor.run(t, "gate", "--to", to, "--target-manifests", filepath.Join(b.dir, "target.yaml"), "--operator",
			name+"/"+name+"-spark-operator-controller", "--checks", "SD7020", "-o", "json", "--confirm-after", "1s")
		var r struct {
			Gate  struct{ Verdict string }
			Items []struct {
				Certainty string
				Evidence  []struct{ Field string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &r), o.stdout+o.stderr)
		require.Equal(t, c.verdict, r.Gate.Verdict, o.stdout)
		var said []string
		for _, item := range r.Items {
			require.Equal(t, "proven", item.Certainty, name)
			for _, e := range item.Evidence {
				said = append(said, strings.TrimPrefix(e.Field, "will not be allowed to "))
			}
		}
		b.must(t, fmt.Sprintf("helm upgrade %s spark-operator/spark-operator --version %s -n %s -f %s --no-hooks", name, to, name, values))
		require.ElementsMatch(t, b.denied(t, name, to), said, name)
		require.Equal(t, c.verdict == "GO", len(said) == 0, name)
		b.must(t, "helm uninstall "+name+" -n "+name+" --no-hooks") // two operators would watch one namespace
	}
}

// must is sh of a command that works.
func (b releases) must(t *testing.T, command string) string {
	t.Helper()
	out, err := b.sh(t, command)
	require.NoError(t, err, "%s\n%s", command, out)
	return out
}

// reviewer asks the API server, as kubectl auth can-i does.
type reviewer struct{ cp *controlplane.ControlPlane }

// Allows implements facts.Allower.
func (r reviewer) Allows(who snapshot.Account, q snapshot.Request) (allowed, known bool) {
	review, err := r.cp.Client.AuthorizationV1().SubjectAccessReviews().Create(context.Background(),
		&authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: who.User(), Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + who.Namespace, "system:authenticated"},
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: q.Namespace, Verb: q.Verb, Group: q.Group, Resource: q.Resource,
				Subresource: q.Subresource, Name: q.Name},
		}}, metav1.CreateOptions{})
	return err == nil && review.Status.Allowed, err == nil
}

// denied is what the API server denies the processes of an installation of what they need.
func (b releases) denied(t *testing.T, namespace, version string) []string {
	t.Helper()
	b.must(t, "kubectl get deployments -n "+namespace+" -o yaml > deployments.yaml && kubectl get sparkapplications -A -o yaml > apps.yaml")
	s, _, err := read.Read(t.Context(), read.Options{
		Paths: []string{filepath.Join(b.dir, "deployments.yaml"), filepath.Join(b.dir, "apps.yaml")}, Now: time.Now(),
	})
	require.NoError(t, err)
	found := operator.Find(s.Deployments())
	require.Len(t, found, 1)
	in := &found[0]
	require.Equal(t, version, in.Version.String())
	out, judged := []string{}, 0
	for _, p := range in.Processes() {
		p.Needs = slices.DeleteFunc(p.Needs, func(need operator.Permission) bool {
			return need.When == operator.DriverClaims || need.When == operator.UIIngresses // of other checks
		})
		judged += len(p.Needs)
		lacking, unknown := facts.Lacks(in, p, facts.JobsOf(in, s.SparkApplications()), reviewer{b.cp})
		require.Zero(t, unknown)
		for _, l := range lacking {
			out = append(out, strings.Join(l.Verbs, "/")+" "+facts.ResourceText(l.Permission))
		}
	}
	require.Greater(t, judged, 10)
	return out
}
