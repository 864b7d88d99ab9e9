package logs_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// logged returns the cases of the corpus that have a log.
func logged(t *testing.T) []corpus.Case {
	t.Helper()
	cases, err := corpus.Read(os.DirFS("../testdata/corpus"))
	require.NoError(t, err)
	return slices.DeleteFunc(cases, func(c corpus.Case) bool { return len(c.Logs) == 0 })
}

func evidenceOf(t *testing.T, c *corpus.Case) *app.Evidence {
	t.Helper()
	objects, err := c.Objects()
	require.NoError(t, err)
	return c.Evidence(objects)
}

// TestCorpusIsNotMisread: a log gives a class that is right, or none. What the objects of a case prove is not for its log to say.
func TestCorpusIsNotMisread(t *testing.T) {
	read, told := 0, 0
	for _, c := range logged(t) {
		if c.LogAlone != "" {
			continue
		}
		read++
		for i, found := range logs.Causes(evidenceOf(t, &c)) {
			if found.Effect {
				continue
			}
			require.True(t, c.IsRight(found.Class), "%s: %s: %s", c.ID, found.Class, found.Message)
			if i == 0 {
				told++
			}
		}
	}
	require.GreaterOrEqual(t, read, 600)
	require.GreaterOrEqual(t, told, 430)
}

// TestHealthyLogsGiveNothing: their WARN and ERROR lines were followed by success.
func TestHealthyLogsGiveNothing(t *testing.T) {
	healthy := []cause.Class{cause.Succeeded, cause.RunningNormally, cause.SlowButProgressing, cause.ObserverMissed}
	checked := 0
	for _, c := range logged(t) {
		if !slices.Contains(healthy, c.Class) {
			continue
		}
		checked++
		for _, found := range logs.Causes(evidenceOf(t, &c)) {
			require.Contains(t, c.AlsoRight, found.Class, c.ID) // what holds back the rest of a slow job
		}
	}
	require.GreaterOrEqual(t, checked, 50)
}

// TestOrderOfLogsDoesNotMatter reads the logs of many cases as of one application, in several orders.
func TestOrderOfLogsDoesNotMatter(t *testing.T) {
	all := &app.Evidence{}
	for _, c := range sampling.NightlyOf(logged(t)) {
		e := evidenceOf(t, &c)
		all.Pods = append(all.Pods, e.Pods...)
		all.Logs = append(all.Logs, e.Logs...)
	}
	want := logs.Causes(all)
	require.NotEmpty(t, want)
	for range 3 {
		all.Logs = append(all.Logs[7:], all.Logs[:7]...)
		slices.Reverse(all.Logs[3:])
		require.Equal(t, want, logs.Causes(all))
	}
}

// quiet lines tell nothing, so that a cut between two of them is as good as one beside them.
func quiet(line string) bool { return strings.Contains(line, " INFO ") || strings.HasPrefix(line, "+") }

// TestWhatIsCutOffProvesNothing cuts each log before and after each of its lines: what then looks first may be a consequence, and must
// not be called proven.
func TestWhatIsCutOffProvesNothing(t *testing.T) {
	whole := slices.DeleteFunc(logged(t), func(c corpus.Case) bool { return c.CutLogs != "" || c.LogAlone != "" })
	for _, c := range sampling.NightlyOf(whole) {
		e := evidenceOf(t, &c)
		for _, log := range e.Logs {
			lines := strings.SplitAfter(log.Tail, "\n")
			for at := range lines {
				if quiet(lines[at]) && (at == 0 || quiet(lines[at-1])) {
					continue
				}
				for _, part := range []string{strings.Join(lines[:at], ""), strings.Join(lines[at:], "")} {
					log.Tail = part
					for _, found := range logs.Causes(&app.Evidence{Pods: e.Pods, Application: e.Application, Logs: []app.Log{log}}) {
						if found.Certainty == check.Proven {
							require.False(t, found.Effect, "%s line %d: %s", c.ID, at, found.Message)
							require.True(t, c.IsRight(found.Class), "%s line %d: %s: %s", c.ID, at, found.Class, found.Message)
						}
					}
				}
			}
		}
	}
}
