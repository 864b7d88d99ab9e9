package formats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// mostLines of an answer stand below the name of the application at 80 columns: its five statements, and an empty line above them.
const mostLines = 11

// TestAnswersAreShort holds every case of the corpus: an answer has at most ten lines of 80 columns, commands apart, and quotes no line
// that says nothing.
func TestAnswersAreShort(t *testing.T) {
	var lines, words []int
	changes, commands, faults := 0, 0, 0
	for _, c := range cases(t) {
		d := answered(t, &c)
		text := rendered(t, d, "table")
		_, answer, _ := strings.Cut(text, "\n\n")
		n, label := 1, ""
		for line := range strings.Lines(answer) {
			n++
			line = strings.TrimSuffix(line, "\n")
			if of, _, labelled := strings.Cut(strings.TrimPrefix(line, "  "), " "); labelled && of != "" {
				label = of
			}
			require.False(t, label == casefile.ChangeLabel && strings.HasSuffix(line, " …"), "%s: half a change is none\n%s", c.ID, text)
			require.True(t, twwidth.Width(line) <= 80 || strings.HasPrefix(line, "  run "), "%s: %s", c.ID, line)
		}
		require.LessOrEqual(t, n, mostLines, "%s\n%s", c.ID, text)
		statement, quote, _ := strings.Cut(answer, "│ ")
		if strings.HasSuffix(strings.TrimSpace(statement), "…") {
			require.LessOrEqual(t, strings.Count(quote, "│ "), 1, "%s: the quote takes room from the statement\n%s", c.ID, text)
		}
		require.NotContains(t, text, "Traceback (most recent call last)", c.ID)
		require.NotContains(t, text, "deleteOnTermination", c.ID)
		if !d.Verdict.Fault() {
			continue
		}
		faults++
		lines, words = append(lines, strings.Count(text, "\n")), append(words, len(strings.Fields(text)))
		if len(d.Verdict.Change) > 0 {
			changes++
		}
		if strings.Contains(text, "kubectl ") {
			commands++
		}
	}
	slices.Sort(lines)
	slices.Sort(words)
	t.Logf("%d answers to a fault: median %d lines, %d words; %d with a change, %d with a command", faults, lines[len(lines)/2],
		words[len(words)/2], changes, commands)
}

// TestAnswersKeepWhatTells holds that a statement which has no room for all of what another program said keeps the part that tells why.
func TestAnswersKeepWhatTells(t *testing.T) {
	tells := map[string]string{
		"407":  "service account growth/spark-growth does not exist: serviceaccount \"spark-growth\" not found",
		"611":  "Quota 'SSD_TOTAL_GB' exceeded. Limit: 2048.0 in region europe-west3",
		"655":  "its value is \"on request\"",
		"743":  "because no identity-based policy allows the ec2:CreateVolume action",
		"773":  "since pull secret regcred does not exist in namespace grid-meters",
		"817":  "the node has no program to mount nfs",
		"841":  "Your authorization token has expired",
		"865":  "the operator recorded \"failed to run spark-submit\"",
		"1020": "before that it did not reach metadata.google.internal",
		"1263": "so it never fits",
		"1389": "which containerd 2.1.4 no longer takes",
		"1390": "does not run on node ip-10-55-64-17.us-west-2.compute.internal",
		"1695": "on executor 4, which keeps spilling to disk",
	}
	for _, c := range cases(t) {
		number, _, _ := strings.Cut(c.ID, "-")
		want, asked := tells[number]
		if !asked {
			continue
		}
		delete(tells, number)
		statement, _, _ := strings.Cut(rendered(t, answered(t, &c), "table"), "│ ")
		require.Contains(t, strings.Join(strings.Fields(statement), " "), want, c.ID)
	}
	require.Empty(t, tells)
}

// TestChangesFitTheObject holds every case of the corpus: a change names an object and a field as they are, and its patch sets the field.
func TestChangesFitTheObject(t *testing.T) {
	changes := 0
	var all strings.Builder
	for _, c := range cases(t) {
		objects, err := c.Objects()
		require.NoError(t, err)
		d := answered(t, &c)
		for _, change := range d.Verdict.Change {
			changes++
			fmt.Fprintf(&all, "%s\n  %s\n", c.ID, change.Text())
			if change.Because != "" {
				fmt.Fprintf(&all, "    %s\n", change.Because)
			}
			require.NotEqual(t, change.From, change.To, "%s: %s", c.ID, change.Field)
			if change.Object == nil {
				continue
			}
			require.Contains(t, []string{"SparkApplication", "ScheduledSparkApplication", "SparkConnect"}, change.Object.Kind, c.ID)
			at := slices.IndexFunc(objects, func(o unstructured.Unstructured) bool {
				return o.GetKind() == change.Object.Kind && o.GetName() == change.Object.Name
			})
			if at >= 0 && change.From != nil {
				raw, err := json.Marshal(objects[at].Object)
				require.NoError(t, err)
				require.Contains(t, string(raw), strings.Trim(asJSON(t, change.From), "[]"), "%s: %s", c.ID, change.Field)
			}
		}
		patch := rendered(t, d, "patch")
		if !d.Patchable() {
			require.Empty(t, patch, c.ID)
			continue
		}
		require.NotRegexp(t, `(?m)^\s+(?:- )?[A-Z][a-z]+:`, patch, "%s: fields of the API begin in lower case", c.ID)
		for _, document := range strings.Split(patch, "\n---\n") {
			var o unstructured.Unstructured
			require.NoError(t, yaml.Unmarshal([]byte(document), &o.Object), c.ID)
			require.NotEmpty(t, o.GetName(), c.ID)
			require.NotEmpty(t, o.Object["spec"], c.ID)
		}
	}
	require.Greater(t, changes, 50)
	goldenCase(t, "changes.txt", all.String())
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	require.NoError(t, err)
	var plain any // keys in order, as those of an object
	require.NoError(t, json.Unmarshal(raw, &plain))
	raw, err = json.Marshal(plain)
	require.NoError(t, err)
	return string(raw)
}

func cases(t *testing.T) []corpus.Case {
	t.Helper()
	list, err := corpus.Read(os.DirFS("../../why/testdata/corpus"))
	require.NoError(t, err)
	require.Greater(t, len(list), 500)
	return list
}

// kept are the answers about cases, by number and name: tests ask twice.
var kept sync.Map

func answered(t *testing.T, c *corpus.Case) *casefile.Document {
	t.Helper()
	f, is := kept.Load(c.ID)
	if !is {
		objects, err := c.Objects()
		require.NoError(t, err)
		f = why.Open(c.Evidence(objects))
		kept.Store(c.ID, f)
	}
	return reporttest.Document(f.(why.CaseFile)).PatchedBy("kubectl sparkdoctor why " + c.Name + " -o patch")
}

func rendered(t *testing.T, d *casefile.Document, format string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.WriteCaseFile(&b, d, format, "", terminal.Style{}))
	return b.String()
}
