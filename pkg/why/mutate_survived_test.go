package why_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// TestWhatWasSurvivedIsNotTheCause puts complaints of other cases before the last job of a log begins: tasks that failed and were tried
// again, executors that were lost, errors that a logger wrote. The job went on from there, so the answer stays, and gets no surer.
func TestWhatWasSurvivedIsNotTheCause(t *testing.T) {
	t.Parallel()
	tried := 0
	all := survivors(t)
	// Of 274, the aborted task has the number of one that 937 complains of: both are task 3 of stage 0.
	// Of 1096, tasks have stopped to finish: complaints of another day must not hide for how long.
	for _, with := range append(sampling.NightlyOf(all), ofPair(t, all, "274", "937"), ofPair(t, all, "1096", "937")) {
		c := decoded(t, with.Case)
		whole := c.whole()
		for file, text := range c.Logs {
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			last := -1
			for at, line := range lines {
				if strings.Contains(line, ": Starting job: ") {
					last = at
				}
			}
			if last < 0 {
				continue
			}
			for _, other := range with.complaints {
				changed := c
				changed.Logs = map[string]string{file: strings.Join(slices.Concat(lines[:last], other, lines[last:]), "\n") + "\n"}
				f := changed.whole()
				tried++
				v, was := f.Verdict(), whole.Verdict()
				if v.Class != was.Class && v.Class != cause.Unknown || v.Certainty < was.Certainty {
					t.Errorf("%s after %.120q: %s (%s) instead of %s (%s): %s", c.ID, other[0], v.Class, v.Certainty, was.Class, was.Certainty,
						v.Message)
				}
			}
		}
	}
	if sampling.Nightly() {
		require.Greater(t, tried, 20_000)
	}
}

// ofPair is the case of a number, with the complaints of another.
func ofPair(t *testing.T, all []survivor, number, of string) survivor {
	t.Helper()
	find := func(number string) corpus.Case {
		at := slices.IndexFunc(all, func(s survivor) bool { return s.Number() == number })
		require.GreaterOrEqual(t, at, 0, number)
		return all[at].Case
	}
	out := survivor{Case: find(number)}
	for _, text := range find(of).Logs {
		out.complaints = append(out.complaints, complaintsIn(text))
	}
	return out
}

// survivor is a case with one log, and the complaints of others.
type survivor struct {
	corpus.Case
	complaints [][]string
}

// survivors returns all of them, by number. Each gets the complaints of the eight before it: they do not depend on how many run, and a new
// case changes none of them. At night it gets those of each seventh case.
func survivors(t *testing.T) []survivor {
	t.Helper()
	const most, nightly = 8, 7
	cases := slices.DeleteFunc(logged(t), func(c corpus.Case) bool { return len(c.Logs) != 1 })
	slices.SortFunc(cases, func(a, b corpus.Case) int {
		return cmp.Or(len(a.Number())-len(b.Number()), strings.Compare(a.Number(), b.Number()))
	})
	var before [][]string
	out := make([]survivor, 0, len(cases))
	for _, c := range cases {
		out = append(out, survivor{c, slices.Clone(before[max(0, len(before)-most):])})
		for _, text := range c.Logs {
			if of := complaintsIn(text); len(of) > 0 {
				before = append(before, of)
			}
		}
	}
	for i := range out {
		for at := i % nightly; at < len(before) && sampling.Nightly(); at += nightly {
			out[i].complaints = append(out[i].complaints, before[at])
		}
	}
	return out
}

// complaintsIn returns the lines of a log that complain without an end, with what follows them.
func complaintsIn(text string) []string {
	complaint := regexp.MustCompile(`^\S+ \S+ (?:WARN|ERROR) (?:TaskSetManager: Lost task |TaskSchedulerImpl: Lost executor |\w+: )`)
	final := regexp.MustCompile(`aborting job|Error initializing|RECEIVED SIGNAL|[Uu]ncaught (?:exception|error)|terminated with error`)
	var of []string
	for _, block := range blocks(strings.Split(strings.TrimSuffix(text, "\n"), "\n")) {
		if complaint.MatchString(block[0]) && !final.MatchString(block[0]) && len(of) < 60 {
			of = append(of, block...)
		}
	}
	return of
}
