package casefile_test

import (
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile"
)

// TestWithoutWholeKinds leaves out what a reader often lacks: all events after an hour, all pods, all nodes, all logs.
func TestWithoutWholeKinds(t *testing.T) {
	for _, c := range readCorpus(t) {
		if c.half != "open" {
			continue
		}
		for _, kind := range []string{"Event", "Pod", "Node", "logs"} {
			left := slices.DeleteFunc(slices.Clone(c.objects), func(o unstructured.Unstructured) bool { return o.GetKind() == kind })
			without := c
			if kind == "logs" {
				without.logs = nil
			}
			f := casefile.Open(without.evidence(left, ""))
			if why := c.claims(f.Verdict()); why != "" {
				t.Errorf("%s without %s: %s (%s): %s", filepath.Base(c.dir), kind, why, f.Verdict().Certainty, f.Verdict().Message)
			} else if r, w := c.answer(&f); r == "wrong" {
				t.Logf("%s without %s: %s (%s): %s", filepath.Base(c.dir), kind, w, f.Verdict().Certainty, f.Verdict().Message)
			}
		}
	}
}
