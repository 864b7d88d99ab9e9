package why_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// fair reports whether a verdict is what is left to see with less: a driver that is gone without a trace was missed by the operator, and
// pods run.
func fair(v *why.Cause) bool {
	return v.Certainty == check.Likely && (v.Class == cause.ObserverMissed || v.Class == cause.RunningNormally)
}

// guessed reports whether a verdict takes what the application said last itself for the cause, and says that this is likely: what would
// tell more was cut off. Such guesses are counted, and few.
func guessed(v *why.Cause) bool { return v.Certainty == check.Likely && v.Class == cause.CodeFailed }

// requireFew holds guesses to one in a hundred, where all cases were tried.
func requireFew(t *testing.T, guesses, tried int) {
	t.Helper()
	if sampling.Nightly() {
		require.LessOrEqual(t, guesses, tried/100, "guesses of %d", tried)
	}
}

// TestLessEvidenceIsNotMoreCertain leaves out one object or log at a time: then the answer may be unknown, and must not become one that the
// case calls wrong.
func TestLessEvidenceIsNotMoreCertain(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, of := range sampling.NightlyOf(shown(t)) {
		c := decoded(t, of)
		for i, o := range c.objects {
			if o.GetKind() == "SparkApplication" || o.GetKind() == "ScheduledSparkApplication" {
				continue // it is the question
			}
			if c.CutObjects[o.GetKind()+"/"+o.GetName()] != "" {
				continue
			}
			tried++
			f := why.Open(c.Evidence(slices.Delete(slices.Clone(c.objects), i, i+1)))
			if claim := c.Claims(f.Verdict()); claim != "" && f.Verdict().Class != cause.Unknown {
				t.Errorf("%s without %s %s: %s (%s): %s", c.ID, o.GetKind(), o.GetName(), claim, f.Verdict().Certainty, f.Verdict().Message)
			}
		}
		for file := range c.Logs {
			if c.CutLogs != "" {
				continue
			}
			tried++
			less := c
			less.Logs = maps.Clone(c.Logs)
			delete(less.Logs, file)
			f := less.whole()
			if claim := c.Claims(f.Verdict()); claim != "" && !fair(f.Verdict()) {
				t.Errorf("%s without %s: %s (%s): %s", c.ID, file, claim, f.Verdict().Certainty, f.Verdict().Message)
			}
		}
	}
	if sampling.Nightly() {
		require.Greater(t, tried, 300)
	}
}

// TestWholeKindsOfEvidenceMayBeMissing leaves out what a reader may not see, or what the cluster forgot: all events, all pods, all
// executors, all logs, and the operator's words.
func TestWholeKindsOfEvidenceMayBeMissing(t *testing.T) {
	t.Parallel()
	kind := func(names ...string) func(o *unstructured.Unstructured) bool {
		return func(o *unstructured.Unstructured) bool { return slices.Contains(names, o.GetKind()) }
	}
	executor := func(o *unstructured.Unstructured) bool { return o.GetLabels()["spark-role"] == "executor" }
	driver := func(o *unstructured.Unstructured) bool { return o.GetLabels()["spark-role"] == "driver" }
	kinds := map[string]struct {
		is   func(o *unstructured.Unstructured) bool
		logs bool
	}{
		"events":                    {kind("Event"), false},
		"events and logs":           {kind("Event"), true},
		"pods, with their logs":     {kind("Pod"), true},
		"the driver, with its log":  {driver, true},
		"executors":                 {executor, false},
		"executors and events":      {func(o *unstructured.Unstructured) bool { return executor(o) || o.GetKind() == "Event" }, false},
		"logs":                      {kind(), true},
		"nodes, quotas, claims":     {kind("Node", "ResourceQuota", "PersistentVolumeClaim", "LimitRange", "NetworkPolicy", "Service"), false},
		"all but the application":   {func(o *unstructured.Unstructured) bool { return o.GetKind() != "SparkApplication" }, true},
		"queues and what they hold": {kind("Workload", "PodGroup"), false},
	}
	for _, of := range sampling.NightlyOf(shown(t)) {
		c := decoded(t, of)
		for what, gone := range kinds {
			if gone.logs && c.CutLogs != "" {
				continue
			}
			changed := c
			if gone.logs {
				changed.Logs = nil
			}
			f := why.Open(changed.Evidence(slices.DeleteFunc(slices.Clone(c.objects),
				func(o unstructured.Unstructured) bool { return gone.is(&o) })))
			v := f.Verdict()
			if claim := c.Claims(v); claim != "" && v.Class != cause.Unknown && !fair(v) {
				t.Errorf("%s without %s: %s (%s): %s", c.ID, what, claim, v.Certainty, v.Message)
			}
		}
	}
}

// TestNoBlockOfALogAloneDecides leaves out one block of a log after the other, and turns two neighbors around: then the answer may be that
// nobody can tell, and must not become another one.
func TestNoBlockOfALogAloneDecides(t *testing.T) {
	t.Parallel()
	tried, guesses := 0, 0
	for _, of := range sampling.NightlyOf(logged(t)) {
		c := decoded(t, of)
		whole := c.whole()
		for file, text := range c.Logs {
			all := blocks(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
			for i := range all {
				if len(all[i]) == 1 && strings.Contains(all[i][0], " INFO ") && !strings.Contains(all[i][0], "SparkContext") {
					continue
				}
				without := slices.Delete(slices.Clone(all), i, i+1)
				turned := slices.Clone(all)
				if i > 0 {
					turned[i-1], turned[i] = turned[i], turned[i-1]
				}
				for what, list := range map[string][][]string{"without": without, "turned around": turned} {
					tried++
					changed := c
					changed.Logs = maps.Clone(c.Logs)
					changed.Logs[file] = strings.Join(slices.Concat(list...), "\n") + "\n"
					f := changed.whole()
					v := f.Verdict()
					wrong := v.Class != cause.Unknown && (c.Claims(v) != "" || v.Class != whole.Verdict().Class && !c.IsRight(v.Class))
					switch {
					case wrong && guessed(v):
						guesses++
					case wrong:
						t.Errorf("%s %s %.100q: %s (%s): %s", c.ID, what, all[i][0], v.Class, v.Certainty, v.Message)
					}
				}
			}
		}
	}
	if sampling.Nightly() {
		require.Greater(t, tried, 1000)
	}
	requireFew(t, guesses, tried)
}
