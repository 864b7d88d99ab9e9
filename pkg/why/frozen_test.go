package why_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// TestFrozen holds what why says of every case of the corpus and of every recording of a real node: testdata/frozen/verdict has what it
// decides, testdata/frozen/words all the rest, a file a class. Of the part that measures there are hashes only. If a change is meant,
// UPDATE_FROZEN=1 rewrites the files, the difference is read, and the commit says why; a change of words leaves verdict/ as it is.
func TestFrozen(t *testing.T) {
	got := frozenAnswers(t)
	if os.Getenv("UPDATE_FROZEN") != "" {
		for _, old := range frozenFiles(t) {
			require.NoError(t, os.Remove(old))
		}
		for file, text := range got {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o750))
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		}
		return
	}
	want := map[string]string{}
	for _, file := range frozenFiles(t) {
		want[file] = readText(t, file)
		require.Contains(t, got, file, "no case is of this class any more")
	}
	const readable = 60 // lines of a difference: the rest is usually the same again
	for file, text := range got {
		if text != want[file] {
			lines := strings.SplitAfter(string(diff.Diff("frozen", []byte(want[file]), "now", []byte(text))), "\n")
			t.Errorf("%s differs; where that is meant: UPDATE_FROZEN=1 go test -run TestFrozen\n%s", file,
				strings.Join(lines[:min(len(lines), readable)], ""))
		}
	}
}

func frozenFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/frozen/*/*.txt")
	require.NoError(t, err)
	return files
}

// frozenAnswers are the texts of all files, by path.
func frozenAnswers(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	add := func(file, name string, f why.CaseFile) {
		d := casefile.New(f, report.Tool{}, command.Asked{})
		out["testdata/frozen/verdict/"+file] += "# " + name + "\n" + verdictOf(d)
		out["testdata/frozen/words/"+file] += "# " + name + "\n" + wordsOf(d)
	}
	for _, c := range append(shown(t), sealed(t)...) {
		f := why.Open(asItIs(t, &c))
		if c.Sealed {
			d := casefile.New(f, report.Tool{}, command.Asked{})
			out["testdata/frozen/verdict/sealed.txt"] += c.ID + " " + hashed(verdictOf(d)) + "\n"
			out["testdata/frozen/words/sealed.txt"] += c.ID + " " + hashed(wordsOf(d)) + "\n"
			continue
		}
		add(string(c.Class)+".txt", c.ID, f)
	}
	dirs, err := filepath.Glob("../../test/node/recordings/*/objects.yaml")
	require.NoError(t, err)
	require.Greater(t, len(dirs), 80)
	for _, objects := range dirs {
		dir := filepath.Dir(objects)
		_, taken := readRecording(t, dir)
		f, err := whyRecorded(t, dir, taken.Add(time.Second))
		if err != nil { // the application was gone when the recording was made
			out["testdata/frozen/verdict/recordings.txt"] += "# " + filepath.Base(dir) + "\n" + err.Error() + "\n"
			continue
		}
		add("recordings.txt", filepath.Base(dir), f)
	}
	return out
}

// whyRecorded is what the command says of a recording, whose application is called etl.
func whyRecorded(t *testing.T, dir string, asOf time.Time) (why.CaseFile, error) {
	t.Helper()
	files := scan.Files{Paths: []string{filepath.Join(dir, "objects.yaml")}, AsOf: asOf}
	logs, err := filepath.Glob(filepath.Join(dir, "logs", "*.log"))
	require.NoError(t, err)
	if len(logs) > 0 {
		files.Paths = append(files.Paths, filepath.Join(dir, "logs"))
	}
	return scan.Why(t.Context(), scan.WhyOptions{Options: scan.Options{Source: files}, Subject: "sparkapplication/etl",
		Namespace: filepath.Base(dir)})
}

// verdictOf is what was decided: of each cause its class, certainty, effect and subject, what was not ruled out, where its evidence is,
// and its commands.
func verdictOf(d *casefile.Document) string {
	var b strings.Builder
	for i := range d.Causes {
		c := &d.Causes[i]
		effect := ""
		if c.Effect {
			effect = " effect"
		}
		fmt.Fprintf(&b, "%d %s %s%s %s %s/%s %s\n", i+1, c.Class, c.Certainty, effect, c.Subject.Kind, c.Subject.Namespace, c.Subject.Name,
			c.Signature)
		for _, d := range c.NotRuledOut {
			fmt.Fprintf(&b, "  not ruled out: %s %s\n", d.Rival, d.Standing)
		}
		for _, e := range c.Evidence {
			beside := ""
			if e.Beside {
				beside = " (beside)"
			}
			fmt.Fprintf(&b, "  %s %s/%s %s%s\n", e.Object.Kind, e.Object.Namespace, e.Object.Name, e.Field, beside)
		}
		for _, n := range c.Next {
			if n.Command != "" {
				fmt.Fprintf(&b, "  $ %s\n", n.Command)
			}
		}
	}
	return b.String()
}

// wordsOf is what else was said.
func wordsOf(d *casefile.Document) string {
	var b strings.Builder
	say := func(format string, args ...any) {
		b.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
	}
	say("state %s since %s attempt %d of %d ran %ds", d.State.State, stamp(d.State.Since), d.State.Attempt, d.State.MaxAttempts,
		d.State.RanSeconds)
	for i := range d.Causes {
		c := &d.Causes[i]
		say("%d %s %s", i+1, stamp(c.Time), c.Message)
		for _, e := range c.Evidence {
			say("  = %s %s", stamp(e.Time), strings.ReplaceAll(e.Value, "\n", "\n    "))
		}
		for _, n := range c.Next {
			say("  > %s", n.Text)
		}
	}
	for _, r := range d.RuledOut {
		say("not %s: %s", r.Message, r.Because)
	}
	for _, a := range d.Attempts {
		say("attempt %d %s %s %s same %t", a.Number, stamp(a.Started), stamp(a.Ended), a.Outcome, a.SameReason)
	}
	for _, m := range d.Timeline {
		say("at %s %s", stamp(m.Time), m.Text)
	}
	if e := d.Executors; e != nil {
		say("executors %+v", *e)
	}
	for _, a := range d.Also {
		say("also %s", a)
	}
	for _, u := range d.Unseen {
		say("unseen %s: %s; %s", u.What, u.Reason, u.NextTime)
	}
	return b.String()
}

func stamp(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return at.UTC().Format(time.RFC3339)
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
