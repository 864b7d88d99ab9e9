package why_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// subjectOf is what a case asks for.
func (c corpusCase) subjectOf() snapshot.Ref {
	kind, name, _ := strings.Cut(c.Name, "/")
	kinds := map[string]string{"sparkapplication": "SparkApplication", "scheduledsparkapplication": "ScheduledSparkApplication"}
	return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: kinds[kind], Namespace: c.Namespace, Name: name}
}

func (c corpusCase) evidence(objects []unstructured.Unstructured, without string) *app.Evidence {
	var logs []app.Log
	for file, text := range c.logs {
		if file == without {
			continue
		}
		parts := strings.Split(strings.TrimSuffix(file, ".log"), "_")
		container, previous := strings.CutSuffix(parts[2], ".previous")
		logs = append(logs, app.Log{Namespace: parts[0], Pod: parts[1], Container: container, Previous: previous, Tail: text})
	}
	return app.FromObjects(objects, logs, c.subjectOf(), c.AsOf)
}

// why is what the command says of the case's files, with all that it makes of them: also findings of checks.
func (c corpusCase) why(t *testing.T) why.CaseFile {
	t.Helper()
	files := scan.Files{Paths: []string{filepath.Join(c.dir, "objects.yaml")}, AsOf: c.AsOf}
	if len(c.logs) > 0 {
		files.Paths = append(files.Paths, filepath.Join(c.dir, "logs"))
	}
	f, err := scan.Why(t.Context(), scan.WhyOptions{Options: scan.Options{Source: files}, Subject: c.Name, Namespace: c.Namespace})
	require.NoError(t, err, c.dir)
	return f
}

// answer is how good a verdict is: right, unknown (no answer is not a wrong one), or wrong, and why.
func (c corpusCase) answer(f *why.CaseFile) (string, string) {
	v := f.Verdict()
	text := verdictText(f)
	if why := c.claims(v); why != "" {
		return "wrong", why
	}
	if string(v.Class) != c.Class && !slices.Contains(c.AlsoRight, string(v.Class)) {
		if v.Class == cause.Unknown {
			return "unknown", "instead of " + c.Class
		}
		return "wrong", fmt.Sprintf("%s instead of %s", v.Class, c.Class)
	}
	if found := mentions(c.MustMention, text); found < len(c.MustMention) {
		return "incomplete", fmt.Sprintf("mentions %d of %q", found, c.MustMention)
	}
	return "right", ""
}

// claims is which wrong verdict it is; empty: none.
func (c corpusCase) claims(v *cause.Cause) string {
	for _, not := range c.MustNotClaim {
		if slices.Contains(corpusClasses(), not) {
			if string(v.Class) == not {
				return "claims " + not
			}
			continue
		}
		if regexp.MustCompile(`(?i)(^|\W)` + regexp.QuoteMeta(not) + `($|\W)`).MatchString(v.Message) {
			return "says " + not
		}
	}
	return ""
}

func verdictText(f *why.CaseFile) string {
	v := f.Verdict()
	parts := []string{v.Message}
	for _, e := range v.Evidence {
		parts = append(parts, e.Object.String(), e.Field, e.Value)
	}
	for _, n := range v.Next {
		parts = append(parts, n.Text, n.Line)
	}
	return strings.Join(parts, "\n")
}

// saidTwice are the facts and the next steps that a cause has more than once.
func saidTwice(f *why.CaseFile) (twice []string) {
	for _, c := range f.Causes {
		seen := map[string]bool{}
		say := func(text string) {
			if seen[text] {
				twice = append(twice, text)
			}
			seen[text] = true
		}
		for _, e := range c.Evidence {
			say(strings.Join([]string{e.Object.String(), e.Field, e.Value, e.At.String()}, " "))
		}
		for _, n := range c.Next {
			say(n.Text + " " + n.Line)
		}
	}
	return twice
}

// TestOpenAnswersTheCorpus measures every part. Of the hidden one only numbers are shown, and only where it is asked for with
// SPARKDOCTOR_MEASURE_SEALED.
func TestOpenAnswersTheCorpus(t *testing.T) {
	count := map[string]map[string]int{}
	for _, part := range corpusParts() {
		count[part] = map[string]int{}
	}
	for _, c := range readCorpus(t) {
		if hidden(c.half) && os.Getenv("SPARKDOCTOR_MEASURE_"+strings.ToUpper(c.half)) == "" {
			continue
		}
		f := c.why(t)
		if !hidden(c.half) {
			require.Empty(t, saidTwice(&f), c.dir)
		}
		result, why := c.answer(&f)
		count[c.half][result]++
		if !hidden(c.half) && result != "right" {
			t.Logf("%s: %s: %s\n\t%s (%s): %s", filepath.Base(c.dir), result, why, f.Verdict().Class, f.Verdict().Certainty, f.Verdict().Message)
		}
	}
	for half, results := range count {
		if len(results) == 0 {
			continue
		}
		t.Logf("%s: %d right, %d incomplete, %d unknown, %d wrong", half, results["right"], results["incomplete"], results["unknown"],
			results["wrong"])
	}
	for half, results := range count {
		if !hidden(half) {
			delete(results, "right")
			require.Empty(t, results, half)
		}
	}
}

// TestLessEvidenceIsNotMoreCertain leaves out one object or log at a time: then the answer may be unknown, and must not become one that the
// case calls wrong.
func TestLessEvidenceIsNotMoreCertain(t *testing.T) {
	tried := 0
	for _, c := range sampling.Of(shown(t)) {
		for i, o := range c.objects {
			if o.GetKind() == "SparkApplication" || o.GetKind() == "ScheduledSparkApplication" {
				continue // it is the question
			}
			if c.number == "1114" && o.GetLabels()["app.kubernetes.io/name"] == "sparkoperator" {
				continue // what is left is a new application; that its neighbour does not decode is known of files, not of objects
			}
			tried++
			f := why.Open(c.evidence(slices.Delete(slices.Clone(c.objects), i, i+1), ""))
			if why := c.claims(f.Verdict()); why != "" && f.Verdict().Class != cause.Unknown {
				t.Errorf("%s without %s %s: %s (%s): %s", c.dir, o.GetKind(), o.GetName(), why, f.Verdict().Certainty, f.Verdict().Message)
			}
		}
		for file := range c.logs {
			tried++
			f := why.Open(c.evidence(c.objects, file))
			if why := c.claims(f.Verdict()); why != "" && !fair(f.Verdict()) {
				t.Errorf("%s without %s: %s (%s): %s", c.dir, file, why, f.Verdict().Certainty, f.Verdict().Message)
			}
		}
	}
	if sampling.Whole() {
		require.Greater(t, tried, 300)
	}
}

// TestOrderOfObjectsDoesNotMatter shuffles, by turning the list around.
func TestOrderOfObjectsDoesNotMatter(t *testing.T) {
	for _, c := range sampling.Of(shown(t)) {
		turned := slices.Clone(c.objects)
		slices.Reverse(turned)
		require.Equal(t, why.Open(c.evidence(c.objects, "")), why.Open(c.evidence(turned, "")), c.dir)
	}
}

// recording reads what was recorded from a real node.
func recording(t *testing.T, name string) *app.Evidence {
	t.Helper()
	dir := filepath.Join("../../test/node/recordings", name)
	objects, taken := readRecording(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "logs", "*.log"))
	require.NoError(t, err)
	var logs []app.Log
	for _, file := range files {
		parts := strings.Split(strings.TrimSuffix(filepath.Base(file), ".log"), "_")
		logs = append(logs, app.Log{Namespace: name, Pod: parts[1], Container: parts[2], Tail: readText(t, file)})
	}
	subject := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: name, Name: "etl"}
	return app.FromObjects(objects, logs, subject, taken.Add(time.Second))
}
