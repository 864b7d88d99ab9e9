package why_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// change is what befalls a log on its way, or what else stands in it.
type change struct {
	name string
	do   func(lines []string) []string
	// same says that the verdict keeps its class. Otherwise it may be unknown.
	same bool
}

func changes() []change {
	layout := func(pattern string) func(string) string {
		return func(line string) string {
			m := sparkLine.FindStringSubmatch(line)
			if m == nil {
				return line
			}
			return strings.NewReplacer("{date}", "20"+m[1]+"-"+m[2]+"-"+m[3], "{time}", m[4], "{level}", m[5], "{logger}", m[6],
				"{message}", m[7]).Replace(pattern)
		}
	}
	out := []change{
		{"CRLF", eachLine(func(line string) string { return line + "\r" }), true},
		{"colors", eachLine(func(line string) string { return "\x1b[32m" + line + "\x1b[0m" }), true},
		{"times of the runtime", stamped("stdout F "), true},
		{"times of kubectl", stamped(""), true},
		{"ISO 8601 and thread", ofPackages(eachLine(layout("{date}T{time},123 {level} [main] org.apache.spark.{logger} - {message}"))), true},
		{"level first", eachLine(layout("[{level}] {date} {time}.042 [dispatcher-CoarseGrainedScheduler] {logger} - {message}")), true},
		{"padded", eachLine(layout("{date} {time} {level}  {logger}:54 - {message}")), true},
		{"thread behind the logger", eachLine(layout("{date} {time}.042+0000 {level}  {logger} [dispatcher-event-loop-5]: {message}")), true},
		{"JSON", asJSON, true},
		{"quiet lines before", func(lines []string) []string { return slices.Concat(quietLines(lines), lines) }, true},
		{"quiet lines after", func(lines []string) []string { return slices.Concat(lines, quietLines(lines)) }, true},
		{"quiet lines between", between(func(line string) bool { return sparkLine.MatchString(line) }), true},
		{"quiet lines anywhere", between(func(string) bool { return true }), false},
		{"every line of a logger twice", func(lines []string) []string {
			var out []string
			for _, line := range lines {
				if out = append(out, line); sparkLine.MatchString(line) && strings.Contains(line, " INFO ") {
					out = append(out, line)
				}
			}
			return out
		}, true},
		{"survived before", survived, true},
	}
	for _, part := range []int{20, 40, 60, 80, 95} {
		out = append(out,
			change{fmt.Sprintf("the last %d %%", part), func(lines []string) []string { return lines[len(lines)*(100-part)/100:] }, false},
			change{fmt.Sprintf("the first %d %%", part), func(lines []string) []string { return lines[:len(lines)*part/100] }, false})
	}
	return out
}

// TestWhatBefallsALogDoesNotChangeTheVerdict: the class stays, or the answer becomes that nobody can tell. It never becomes another one.
func TestWhatBefallsALogDoesNotChangeTheVerdict(t *testing.T) {
	t.Parallel()
	tried, guesses := map[string]int{}, 0
	for _, of := range sampling.NightlyOf(logged(t)) {
		c := decoded(t, of)
		whole := c.whole()
		for _, change := range changes() {
			changed := c
			changed.Logs = map[string]string{}
			for file, text := range c.Logs {
				if strings.HasPrefix(change.name, "quiet lines") && !ofSpark(file, text) {
					changed.Logs[file] = text
					continue
				}
				lines := change.do(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
				changed.Logs[file] = strings.Join(lines, "\n") + "\n"
			}
			f := changed.whole()
			v := f.Verdict()
			tried[change.name]++
			name := c.ID + ", " + change.name
			switch {
			case !change.same && (v.Class == cause.Unknown || fair(v)):
			case !change.same && guessed(v) && !c.IsRight(v.Class):
				guesses++
			case c.Claims(v) != "":
				t.Errorf("%s: %s (%s): %s", name, c.Claims(v), v.Certainty, v.Message)
			case change.same && v.Class != whole.Verdict().Class:
				t.Errorf("%s: %s instead of %s (%s): %s", name, v.Class, whole.Verdict().Class, v.Certainty, v.Message)
			case v.Class != cause.Unknown && v.Class != whole.Verdict().Class && !c.IsRight(v.Class):
				t.Errorf("%s: %s (%s): %s", name, v.Class, v.Certainty, v.Message)
			}
		}
	}
	require.Len(t, tried, len(changes()))
	requireFew(t, guesses, len(tried)*tried["CRLF"])
	if !sampling.Nightly() {
		return
	}
	for name, n := range tried {
		require.Greater(t, n, 80, name)
	}
}

// ofSpark reports whether Spark writes lines into a log: another container writes none, nor does one in which no JVM started.
func ofSpark(file, text string) bool {
	return strings.Contains(file, "_spark-kubernetes-") && slices.ContainsFunc(strings.Split(text, "\n"), sparkLine.MatchString)
}
