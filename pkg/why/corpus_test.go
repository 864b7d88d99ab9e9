// Package why_test holds the corpus of failed Spark applications to its format: testdata/corpus/README.md says what a case is and
// where it comes from. The part sealed/ measures; it is read here for its form only.
package why_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
)

// corpusCase is case.yaml.
type corpusCase struct {
	Name      string    `json:"name"` // type/name of the application that is asked for
	Namespace string    `json:"namespace"`
	AsOf      time.Time `json:"asOf"`
	Topic     string    `json:"topic"` // the halves have the same number of cases of each

	Class       string   `json:"class"`
	AlsoRight   []string `json:"alsoRight"` // classes that are as good
	Cause       string   `json:"cause"`     // the first one
	MustMention []string `json:"mustMention"`
	// MustNotClaim are classes that the verdict must not have and phrases that its message must not contain.
	MustNotClaim []string `json:"mustNotClaim"`

	Proof               string         `json:"proof"`
	Certainty           string         `json:"certainty"`
	MisleadingLastError bool           `json:"misleadingLastError"` // of the log
	Sources             []corpusSource `json:"sources"`

	dir, half, number string
	objects           []unstructured.Unstructured
	objectText        string
	logs              map[string]string // by file
}

type corpusSource struct {
	Ref      string `json:"ref"`
	Taken    string `json:"taken"`
	Composed string `json:"composed"`
}

func corpusClasses() []string {
	return []string{
		"clusterKilled", "codeFailed", "configuration", "credentials", "dependency", "image", "scheduling", "quota", "network", "storage",
		"submission", "observerMissed", "stoppedByUser", "runningNormally", "slowButProgressing", "suspended", "succeeded", "unknown",
	}
}

// corpusParts are the directories of the corpus. Each case is in one of them.
func corpusParts() []string {
	return []string{"blind", "fresh", "frozen", "later", "more", "open", "sealed", "unseen"}
}

// hidden names the parts that measure: they are read for their form, and nothing else looks at its cases.
func hidden(half string) bool {
	return half == "sealed"
}

// shown are the cases that may be looked at.
func shown(t *testing.T) []corpusCase {
	t.Helper()
	return slices.DeleteFunc(readCorpus(t), func(c corpusCase) bool { return hidden(c.half) })
}

// caseNamed is one of them.
func caseNamed(t *testing.T, name string) corpusCase {
	t.Helper()
	all := shown(t)
	at := slices.IndexFunc(all, func(c corpusCase) bool { return strings.HasSuffix(c.dir, name) })
	require.GreaterOrEqual(t, at, 0, name)
	return all[at]
}

// leaves reports whether a case loses its answer with some lines, and another stands in what is left: an effect, or pods that run (788).
func leaves(number string) bool {
	return slices.Contains(strings.Fields("714 755 765 782 788 804 825 827 828 835 850 852 869 889 892 935 "+
		"964 974 987 1007 1009 1021 1033 1055 1068 1081 1086 1114 1116 1142 1148 1149 1161 1167 1191 1205 1211 1225 1227"), number)
}

// logged are those of them whose logs may be changed.
func logged(t *testing.T) []corpusCase {
	t.Helper()
	return slices.DeleteFunc(shown(t), func(c corpusCase) bool { return len(c.logs) == 0 || leaves(c.number) })
}

func readCorpus(t *testing.T) []corpusCase {
	t.Helper()
	var out []corpusCase
	for _, half := range corpusParts() {
		dirs, err := filepath.Glob(filepath.Join("testdata/corpus", half, "*"))
		require.NoError(t, err)
		for _, dir := range dirs {
			out = append(out, readCase(t, half, dir))
		}
	}
	return out
}

func readCase(t *testing.T, half, dir string) corpusCase {
	t.Helper()
	c := corpusCase{dir: dir, half: half, logs: map[string]string{}}
	c.number, _, _ = strings.Cut(filepath.Base(dir), "-")
	require.NoError(t, yaml.UnmarshalStrict([]byte(readText(t, dir, "case.yaml")), &c), dir)
	c.objectText = readText(t, dir, "objects.yaml")
	for _, document := range strings.Split(c.objectText, "\n---\n") {
		var o unstructured.Unstructured
		asJSON, err := yaml.YAMLToJSON([]byte(document))
		require.NoError(t, err, dir)
		require.NoError(t, utiljson.Unmarshal(asJSON, &o.Object), dir) // whole numbers as int64, as a client has them
		c.objects = append(c.objects, o)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "logs", "*"))
	require.NoError(t, err)
	for _, path := range logs {
		c.logs[filepath.Base(path)] = readText(t, path)
	}
	return c
}

func readText(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...)) // #nosec G304 -- a test
	require.NoError(t, err)
	require.True(t, utf8.Valid(text), path)
	return string(text)
}

// TestCorpusHalvesAreAlike holds both halves to one mixture.
func TestCorpusHalvesAreAlike(t *testing.T) {
	count, topics, numbers := map[string]int{}, map[string]map[string]int{"frozen": {}, "open": {}}, map[string]string{}
	misleading, healthy, classes := 0, 0, map[string]int{}
	for _, c := range readCorpus(t) {
		count[c.half]++
		if topics[c.half] != nil {
			topics[c.half][c.Topic]++
		}
		require.Regexp(t, `^\d{3,4}-[a-z0-9]+(-[a-z0-9]+)*$`, filepath.Base(c.dir))
		require.Empty(t, numbers[c.number], c.dir)
		numbers[c.number] = c.dir
		classes[c.Class]++
		if c.MisleadingLastError {
			misleading++
		}
		if slices.Contains([]string{"runningNormally", "succeeded", "suspended"}, c.Class) {
			healthy++
		}
	}
	require.GreaterOrEqual(t, count["frozen"], 40)
	require.GreaterOrEqual(t, count["open"], 40)
	require.GreaterOrEqual(t, count["more"], 20)
	require.GreaterOrEqual(t, count["later"], 100)
	require.GreaterOrEqual(t, count["fresh"], 50)
	require.GreaterOrEqual(t, count["sealed"], 40)
	require.Equal(t, topics["frozen"], topics["open"])
	require.GreaterOrEqual(t, misleading, 6)
	require.GreaterOrEqual(t, healthy, 6)
	require.GreaterOrEqual(t, classes["unknown"], 4)
	for _, class := range corpusClasses() {
		require.NotZero(t, classes[class], class)
	}
}

// TestCorpusAnswersAreStated holds every case.yaml to what its fields may say.
func TestCorpusAnswersAreStated(t *testing.T) {
	source := regexp.MustCompile(`^https://\S+$|^[\w.-]+/[\w.-]+ \S+@v[\w.-]+$`)
	for _, c := range readCorpus(t) {
		require.Regexp(t, `^(spark|scheduledspark)application/[a-z0-9-]+$`, c.Name, c.dir)
		require.False(t, c.AsOf.IsZero(), c.dir)
		for _, class := range append(c.AlsoRight, c.Class) {
			require.Contains(t, corpusClasses(), class, c.dir)
			require.NotContains(t, c.MustNotClaim, class, c.dir)
		}
		require.NotContains(t, c.AlsoRight, c.Class, c.dir)
		require.Regexp(t, `^\S.+\.$`, c.Cause, c.dir)
		require.Contains(t, []string{"proven", "likely"}, c.Certainty, c.dir)
		require.Contains(t, []string{"api", "log", "both", "none"}, c.Proof, c.dir)
		require.Equal(t, c.Class == "unknown", c.Proof == "none", "%s: what nothing proves is unknown", c.dir)
		require.True(t, len(c.MustMention) >= 2 && len(c.MustMention) <= 4, c.dir)
		require.NotEmpty(t, c.MustNotClaim, c.dir)
		for _, alternative := range strings.Split(strings.Join(append(c.MustMention, c.MustNotClaim...), "|"), "|") {
			require.Greater(t, len(strings.TrimSpace(alternative)), 1, "%s: %q is in any answer", c.dir, alternative)
		}
		require.NotEmpty(t, c.Sources, c.dir)
		for _, s := range c.Sources {
			require.Regexp(t, source, s.Ref, c.dir)
			require.NotEmpty(t, s.Taken, c.dir)
		}
		require.True(t, slices.ContainsFunc(c.Sources, func(s corpusSource) bool { return s.Composed != "" }), "%s: what is made up?", c.dir)
	}
}

// TestCorpusProvesItsAnswers looks for the facts that an answer must contain in what is said to prove it.
func TestCorpusProvesItsAnswers(t *testing.T) {
	for _, c := range readCorpus(t) {
		inLogs := 0
		for _, text := range c.logs {
			inLogs += mentions(c.MustMention, text)
		}
		inObjects := mentions(c.MustMention, c.objectText)
		switch c.Proof {
		case "api":
			require.Positive(t, inObjects, c.dir)
		case "log":
			require.Positive(t, inLogs, c.dir)
		case "both":
			require.Positive(t, inObjects, c.dir)
			require.Positive(t, inLogs, c.dir)
		}
		require.False(t, c.MisleadingLastError && len(c.logs) == 0, c.dir)
	}
}

// mentions counts the facts of which an alternative is in the text.
func mentions(facts []string, text string) int {
	found := 0
	for _, fact := range facts {
		for _, alternative := range strings.Split(fact, "|") {
			if strings.Contains(strings.ToLower(text), strings.ToLower(alternative)) {
				found++
				break
			}
		}
	}
	return found
}

// TestCorpusObjectsAreRead reads every case as -f does, at its time.
func TestCorpusObjectsAreRead(t *testing.T) {
	for _, c := range readCorpus(t) {
		s, in, err := manifests.Read(t.Context(), manifests.Options{
			Paths: []string{filepath.Join(c.dir, "objects.yaml")}, AsOf: c.AsOf, Now: c.AsOf,
		})
		require.NoError(t, err, c.dir)
		require.Equal(t, c.AsOf, s.TakenAt, c.dir)
		require.Equal(t, len(c.objects), in.Objects, c.dir)
		require.Zero(t, in.Duplicates, c.dir)
		require.Empty(t, in.Unreadable, c.dir)
		asked := false
		for _, app := range s.SparkApplications() {
			require.Equal(t, app.Name == "lexicon-backfill", app.Malformed != "", c.dir) // 1114 is about that
			asked = asked || c.Name == "sparkapplication/"+app.Name && c.Namespace == app.Namespace
		}
		for _, schedule := range s.ScheduledSparkApplications() {
			require.Empty(t, schedule.Malformed, c.dir)
			asked = asked || c.Name == "scheduledsparkapplication/"+schedule.Name && c.Namespace == schedule.Namespace
		}
		require.True(t, asked || slices.ContainsFunc(c.objects, c.isEventAboutIt), "%s: neither %s nor an event about it", c.dir, c.Name)
	}
}

// isEventAboutIt finds what is left of an application that is gone.
func (c corpusCase) isEventAboutIt(o unstructured.Unstructured) bool {
	kind, _, _ := unstructured.NestedString(o.Object, "involvedObject", "kind")
	name, _, _ := unstructured.NestedString(o.Object, "involvedObject", "name")
	return c.Namespace == o.GetNamespace() && c.Name == strings.ToLower(kind)+"/"+name
}

// TestCorpusHoldsWhatWouldBeThere: nothing is from later, events live for an hour (--event-ttl of kube-apiserver), and a log is read
// from a container of a pod that still exists.
func TestCorpusHoldsWhatWouldBeThere(t *testing.T) {
	logFile := regexp.MustCompile(`^([a-z0-9-]+)_([a-z0-9.-]+)_([a-z0-9-]+)(\.previous)?\.log$`)
	for _, c := range readCorpus(t) {
		containers := map[string]bool{}
		for _, o := range c.objects {
			require.False(t, o.GetCreationTimestamp().After(c.AsOf), "%s: %s %s", c.dir, o.GetKind(), o.GetName())
			if last, found, _ := unstructured.NestedString(o.Object, "lastTimestamp"); found {
				at, err := time.Parse(time.RFC3339, last)
				require.NoError(t, err, c.dir)
				require.True(t, !at.After(c.AsOf) && c.AsOf.Sub(at) <= time.Hour, "%s: event %s", c.dir, o.GetName())
			}
			for _, list := range []string{"containers", "initContainers"} {
				of, _, err := unstructured.NestedSlice(o.Object, "spec", list)
				require.NoError(t, err, c.dir)
				for _, one := range of {
					name, _, _ := unstructured.NestedString(one.(map[string]any), "name")
					containers[o.GetNamespace()+"_"+o.GetName()+"_"+name] = o.GetKind() == "Pod"
				}
			}
		}
		for file, text := range c.logs {
			parts := logFile.FindStringSubmatch(file)
			require.NotNil(t, parts, "%s: %s", c.dir, file)
			require.True(t, containers[strings.Join(parts[1:4], "_")], "%s: no container has the log %s", c.dir, file)
			lines := strings.Count(text, "\n")
			require.True(t, lines >= 1 && lines <= 200, "%s: %s has %d lines", c.dir, file, lines)
		}
	}
}
