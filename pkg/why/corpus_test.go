// Package why_test measures why with the corpus of failed Spark applications, which testdata/corpus/README.md describes.
package why_test

import (
	"maps"
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
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// all are the cases of the corpus, the sealed ones among them, which tests read for their form only.
func all(t *testing.T) []corpus.Case {
	t.Helper()
	sealed, err := corpus.ReadSealed(os.DirFS(corpusDir))
	require.NoError(t, err)
	short, err := corpus.ReadShort(os.DirFS(corpusDir))
	require.NoError(t, err)
	return slices.Concat(shown(t), short, sealed)
}

// TestCorpusIsNamed: a number is of one case, a folder is of one class, and the corpus holds what a measurement needs: each class, sealed
// cases, applications with which nothing is wrong, causes that nobody can tell, and errors that mislead.
func TestCorpusIsNamed(t *testing.T) {
	numbers, classes := map[string]string{}, map[cause.Class]int{}
	sealed, misleading, healthy := 0, 0, 0
	for _, c := range all(t) {
		require.Regexp(t, `^\d{3,4}-[a-z0-9]+(-[a-z0-9]+)*$`, c.ID)
		require.Empty(t, numbers[c.Number()], c.ID)
		numbers[c.Number()] = c.ID
		switch {
		case c.Sealed:
			sealed++
		case c.Today == "":
			require.Equal(t, string(c.Class), c.Folder, c.ID)
			classes[c.Class]++
		}
		if c.MisleadingLastError {
			misleading++
		}
		if slices.Contains([]cause.Class{cause.RunningNormally, cause.Succeeded, cause.Suspended}, c.Class) {
			healthy++
		}
	}
	require.Equal(t, 194, sealed)
	require.GreaterOrEqual(t, len(numbers), 1358, "a case was lost")
	require.GreaterOrEqual(t, misleading, 6)
	require.GreaterOrEqual(t, healthy, 6)
	require.GreaterOrEqual(t, classes[cause.Unknown], 4)
	for _, class := range cause.Classes() {
		require.NotZero(t, classes[class], class)
	}
}

// TestCorpusAnswersAreStated holds every case.yaml to what its fields may say.
func TestCorpusAnswersAreStated(t *testing.T) {
	source := regexp.MustCompile(`^https://\S+$|^[\w.-]+/[\w.-]+ \S+@v[\w.-]+$`)
	for _, c := range all(t) {
		require.Regexp(t, `^((spark|scheduledspark)application|sparkconnect|pod)/[a-z0-9-]+$`, c.Name, c.ID)
		require.False(t, c.AsOf.IsZero(), c.ID)
		for _, class := range append(c.AlsoRight, c.Class) {
			require.Contains(t, cause.Classes(), class, c.ID)
			require.NotContains(t, c.MustNotClaim, string(class), c.ID)
		}
		require.NotContains(t, c.AlsoRight, c.Class, c.ID)
		require.Regexp(t, `^\S.+\.$`, c.Cause, c.ID)
		require.Contains(t, []string{"proven", "likely"}, c.Certainty, c.ID)
		require.Contains(t, []string{"api", "log", "both", "none"}, c.Proof, c.ID)
		require.Equal(t, c.Class == cause.Unknown, c.Proof == "none", "%s: what nothing proves is unknown", c.ID)
		require.True(t, len(c.MustMention) >= 2 && len(c.MustMention) <= 4, c.ID)
		require.NotEmpty(t, c.MustNotClaim, c.ID)
		for _, alternative := range strings.Split(strings.Join(append(c.MustMention, c.MustNotClaim...), "|"), "|") {
			require.Greater(t, len(strings.TrimSpace(alternative)), 1, "%s: %q is in any answer", c.ID, alternative)
		}
		for _, reason := range append(slices.Collect(maps.Values(c.CutObjects)), c.CutLogs) {
			require.Regexp(t, `^$|^[A-Z].{20,}\.$`, reason, "%s: an exception needs its reason", c.ID)
		}
		require.False(t, c.CutLogs != "" && len(c.Logs) == 0, "%s: it has no log to cut", c.ID)
		require.NotEmpty(t, c.Sources, c.ID)
		for _, s := range c.Sources {
			require.Regexp(t, source, s.Ref, c.ID)
			require.NotEmpty(t, s.Taken, c.ID)
		}
		require.True(t, slices.ContainsFunc(c.Sources, func(s corpus.Source) bool { return s.Composed != "" }), "%s: what is made up?", c.ID)
	}
}

// TestCorpusProvesItsAnswers looks for the facts that an answer must contain in what is said to prove it.
func TestCorpusProvesItsAnswers(t *testing.T) {
	for _, c := range all(t) {
		inLogs := 0
		for _, text := range c.Logs {
			inLogs += corpus.Mentions(c.MustMention, text)
		}
		inObjects := corpus.Mentions(c.MustMention, c.ObjectsYAML)
		switch c.Proof {
		case "api":
			require.Positive(t, inObjects, c.ID)
		case "log":
			require.Positive(t, inLogs, c.ID)
		case "both":
			require.Positive(t, inObjects, c.ID)
			require.Positive(t, inLogs, c.ID)
		}
		require.False(t, c.MisleadingLastError && len(c.Logs) == 0, c.ID)
	}
}

// TestCorpusObjectsAreRead reads a case as -f does, at its time.
func TestCorpusObjectsAreRead(t *testing.T) {
	t.Parallel()
	for _, of := range sampling.NightlyOf(all(t)) {
		c, dir := decoded(t, of), t.TempDir()
		require.NoError(t, c.Write(dir), c.ID)
		s, in, err := manifests.Read(t.Context(), manifests.Options{
			Paths: []string{filepath.Join(dir, "objects.yaml")}, AsOf: c.AsOf, Now: c.AsOf,
		})
		require.NoError(t, err, c.ID)
		require.Equal(t, c.AsOf, s.TakenAt, c.ID)
		require.Equal(t, len(c.objects), in.Objects, c.ID)
		require.Zero(t, in.Duplicates, c.ID)
		require.Empty(t, in.Unreadable, c.ID)
		require.True(t, slices.ContainsFunc(c.objects, c.isAboutIt), "%s: neither %s nor an event about it", c.ID, c.Name)
		malformed := ""
		for _, app := range s.SparkApplications() {
			if app.Malformed != "" {
				malformed += "sparkapplication/" + app.Name
			}
		}
		for _, schedule := range s.ScheduledSparkApplications() {
			require.Empty(t, schedule.Malformed, c.ID)
		}
		require.Equal(t, c.Malformed, malformed, c.ID)
	}
}

// isAboutIt finds what the case asks about, or an event about one that is gone.
func (c *corpusCase) isAboutIt(o unstructured.Unstructured) bool {
	kind, name := o.GetKind(), o.GetName()
	if kind == "Event" {
		kind, _, _ = unstructured.NestedString(o.Object, "involvedObject", "kind")
		name, _, _ = unstructured.NestedString(o.Object, "involvedObject", "name")
	}
	return c.Namespace == o.GetNamespace() && c.Name == strings.ToLower(kind)+"/"+name
}

// TestCorpusHoldsWhatWouldBeThere: nothing is from later, events live for an hour (--event-ttl of kube-apiserver), and a log is read
// from a container of a pod that still exists.
func TestCorpusHoldsWhatWouldBeThere(t *testing.T) {
	t.Parallel()
	logFile := regexp.MustCompile(`^([a-z0-9-]+)_([a-z0-9.-]+)_([a-z0-9-]+)(\.previous)?\.log$`)
	for _, of := range all(t) {
		c, containers, cut := decoded(t, of), map[string]bool{}, maps.Clone(of.CutObjects)
		for _, o := range c.objects {
			delete(cut, o.GetKind()+"/"+o.GetName())
			require.False(t, o.GetCreationTimestamp().After(c.AsOf), "%s: %s %s", c.ID, o.GetKind(), o.GetName())
			if last, found, _ := unstructured.NestedString(o.Object, "lastTimestamp"); found {
				at, err := time.Parse(time.RFC3339, last)
				require.NoError(t, err, c.ID)
				kept := at // by the clock of the API server; a node's may be behind
				if made := o.GetCreationTimestamp().Time; made.After(at) {
					kept = made
				}
				require.True(t, !at.After(c.AsOf) && c.AsOf.Sub(kept) <= time.Hour, "%s: event %s", c.ID, o.GetName())
			}
			for _, list := range []string{"containers", "initContainers"} {
				of, _, err := unstructured.NestedSlice(o.Object, "spec", list)
				require.NoError(t, err, c.ID)
				for _, one := range of {
					name, _, _ := unstructured.NestedString(one.(map[string]any), "name")
					containers[o.GetNamespace()+"_"+o.GetName()+"_"+name] = o.GetKind() == "Pod"
				}
			}
		}
		require.Empty(t, cut, "%s: cutObjects has objects that the case does not have", c.ID)
		for file, text := range c.Logs {
			parts := logFile.FindStringSubmatch(file)
			require.NotNil(t, parts, "%s: %s", c.ID, file)
			require.True(t, containers[strings.Join(parts[1:4], "_")], "%s: no container has the log %s", c.ID, file)
			lines := strings.Count(text, "\n")
			require.True(t, lines >= 1 && lines <= 200, "%s: %s has %d lines", c.ID, file, lines)
		}
	}
}
