package checks_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

func findings(results []check.Result) int {
	n := 0
	for _, r := range results {
		n += len(r.Findings)
	}
	return n
}

// endings is what the net compares: how each check ended, and why.
func endings(results []check.Result) []string {
	out := make([]string, 0, len(results))
	for _, r := range results {
		out = append(out, fmt.Sprintf("%s %s %v %s", r.Check.ID, r.Status, r.Partial, r.Reason))
	}
	return out
}

// TestHealthyInputInAnotherForm: order, files and encoding change nothing, whether the input is everything or not.
func TestHealthyInputInAnotherForm(t *testing.T) {
	for _, complete := range []bool{false, true} {
		for i, h := range healthyInputs(t, complete) {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			want := h.scan(t, multiYAML(h.objects), complete)
			for name, in := range forms(h.objects, r) {
				if r.IntN(3) > 0 && !h.rendered() {
					continue // a third of all is enough to find what breaks
				}
				got := h.scan(t, in, complete)
				require.Zero(t, findings(got), "%s as %s, complete: %t", h.name, name, complete)
				require.Equal(t, endings(want), endings(got), "%s as %s, complete: %t", h.name, name, complete)
			}
		}
	}
}

// TestLessOfHealthyInput: leaving out an object or a kind finds nothing, and makes nothing pass that did not pass before.
func TestLessOfHealthyInput(t *testing.T) {
	for i, h := range healthyInputs(t, false) {
		r := rand.New(rand.NewPCG(2, uint64(i)))
		passed := passing(h.scan(t, multiYAML(h.objects), false))
		left := map[string][][]byte{}
		for k := range h.objects {
			if k < 2 || r.IntN(4) == 0 {
				left[fmt.Sprintf("object %d", k)] = slices.Concat(h.objects[:k], h.objects[k+1:])
			}
			kind := kindIn(t, h.objects[k])
			left[kind] = slices.DeleteFunc(slices.Clone(h.objects), func(o []byte) bool { return kindIn(t, o) == kind })
		}
		for what, objects := range left {
			if len(objects) > 0 {
				h.noWorse(t, passed, h.scan(t, multiYAML(objects), false), "without "+what)
			}
		}
	}
}

// TestMoreThanHealthyInput: objects of kinds that no check reads change nothing, and others find nothing.
func TestMoreThanHealthyInput(t *testing.T) {
	var unread, others [][]byte
	for k := range 30 {
		unread = append(unread, fmt.Appendf(nil, `{"apiVersion":"things%d.example.com/v1","kind":"Thing%d","metadata":{"name":"a","namespace":"elsewhere","uid":"f0000000-0000-4000-8000-0000000000%02d"}}`, k, k, k))
	}
	for k, kind := range []string{
		"v1 ConfigMap", "v1 Service", "v1 Secret", "v1 Pod", "v1 ServiceAccount", "v1 PersistentVolumeClaim", "v1 Namespace",
		"apps/v1 Deployment",
		"rbac.authorization.k8s.io/v1 Role", "rbac.authorization.k8s.io/v1 RoleBinding", "rbac.authorization.k8s.io/v1 ClusterRole",
		"rbac.authorization.k8s.io/v1 ClusterRoleBinding", "coordination.k8s.io/v1 Lease", "networking.k8s.io/v1 Ingress",
		"discovery.k8s.io/v1 EndpointSlice",
		"admissionregistration.k8s.io/v1 MutatingWebhookConfiguration", "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration",
	} {
		version, kind, _ := strings.Cut(kind, " ")
		others = append(others, fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":{"name":"other","namespace":"elsewhere","uid":"f0000000-0000-4000-8000-1000000000%02d"}}`, version, kind, k))
	}
	for i, h := range healthyInputs(t, false) {
		if i%3 > 0 && !h.rendered() {
			continue
		}
		before := h.scan(t, multiYAML(h.objects), false)
		require.Equal(t, endings(before), endings(h.scan(t, multiYAML(slices.Concat(h.objects, unread)), false)), h.name)
		require.Zero(t, findings(h.scan(t, multiYAML(slices.Concat(others, h.objects)), false)), h.name)
	}
}

func passing(results []check.Result) map[string]bool {
	out := map[string]bool{}
	for _, r := range results {
		out[r.Check.ID] = r.Status == check.Passed
	}
	return out
}

// noWorse holds the net against results: less to look at finds nothing, and lets nothing pass.
func (h healthy) noWorse(t *testing.T, passed map[string]bool, results []check.Result, what string) {
	t.Helper()
	for _, r := range results {
		for _, f := range r.Findings {
			assert.Fail(t, "found", "%s %s: %s %s %s", h.name, what, f.Check, f.Certainty, f.Message)
		}
		assert.False(t, r.Status == check.Passed && !passed[r.Check.ID], "%s %s: %s passes", h.name, what, r.Check.ID)
	}
}

// TestHealthyInputTwice: an object that two files hold is one object.
func TestHealthyInputTwice(t *testing.T) {
	for _, complete := range []bool{false, true} {
		for i, h := range healthyInputs(t, complete) {
			r := rand.New(rand.NewPCG(3, uint64(i)))
			want := h.scan(t, multiYAML(h.objects), complete)
			all := []byte(multiYAML(h.objects).text)
			for name, in := range map[string]form{
				"all of it": {files: [][]byte{all, all}},
				"a part":    multiYAML(slices.Concat(h.objects, h.objects[r.IntN(len(h.objects)):])),
			} {
				got := h.scan(t, in, complete)
				require.Zero(t, findings(got), "%s, %s twice, complete: %t", h.name, name, complete)
				require.Equal(t, endings(want), endings(got), "%s, %s twice, complete: %t", h.name, name, complete)
			}
		}
	}
}
