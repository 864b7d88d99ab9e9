package why_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestWhatWasSurvivedIsNotTheCause puts complaints of other cases before the last job of a log begins: tasks that failed and were tried
// again, executors that were lost, errors that a logger wrote. The job went on from there, so the answer stays.
func TestWhatWasSurvivedIsNotTheCause(t *testing.T) {
	complaint := regexp.MustCompile(`^\S+ \S+ (?:WARN|ERROR) (?:TaskSetManager: Lost task |TaskSchedulerImpl: Lost executor |\w+: )`)
	final := regexp.MustCompile(`aborting job|Error initializing|RECEIVED SIGNAL|[Uu]ncaught (?:exception|error)|terminated with error`)
	var complaints [][]string // of each case
	var cases []corpusCase
	for _, c := range logged(t) {
		if len(c.logs) != 1 {
			continue
		}
		cases = append(cases, c)
		for _, text := range c.logs {
			var of []string
			for _, block := range blocks(strings.Split(strings.TrimSuffix(text, "\n"), "\n")) {
				if complaint.MatchString(block[0]) && !final.MatchString(block[0]) && len(of) < 60 {
					of = append(of, block...)
				}
			}
			if len(of) > 0 {
				complaints = append(complaints, of)
			}
		}
	}
	tried := 0
	for i, c := range sampling.Of(cases) {
		whole := why.Open(c.evidence(c.objects, ""))
		for file, text := range c.logs {
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
			for k := range 8 {
				other := complaints[(i*8+k)%len(complaints)]
				changed := c
				changed.logs = map[string]string{file: strings.Join(slices.Concat(lines[:last], other, lines[last:]), "\n") + "\n"}
				f := why.Open(changed.evidence(c.objects, ""))
				tried++
				if v := f.Verdict(); v.Class != whole.Verdict().Class && v.Class != cause.Unknown {
					t.Errorf("%s after %.120q: %s instead of %s (%s): %s", filepath.Base(c.dir), other[0], v.Class, whole.Verdict().Class, v.Certainty,
						v.Message)
				}
			}
		}
	}
	if sampling.Whole() {
		require.Greater(t, tried, 300)
	}
}
