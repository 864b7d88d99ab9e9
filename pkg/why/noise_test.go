package why_test

import (
	"encoding/json"
	"fmt"
	"maps"
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

// sparkLine is a line in the layout that most logs of the corpus have.
var sparkLine = regexp.MustCompile(`^(\d{2})/(\d{2})/(\d{2}) (\d{2}:\d{2}:\d{2}) (INFO|WARN|ERROR) ([\w.$]+): (.*)$`)

// quietLines are such as drivers print that work, at the time at which the log begins.
func quietLines(log []string) []string {
	return at(log, []string{
		"26/01/01 00:00:01 INFO BlockManagerInfo: Added broadcast_3_piece0 in memory on 10.1.1.1:7079 (size: 35.2 KiB, free: 1105.9 MiB)",
		"26/01/01 00:00:01 INFO ContextCleaner: Cleaned accumulator 41",
		"26/01/01 00:00:01 WARN package: Truncated the string representation of a plan since it was too large.",
		"26/01/01 00:00:01 INFO CodeGenerator: Code generated in 12.1 ms",
		"26/01/01 00:00:01 WARN WindowExec: No Partition Defined for Window operation!",
	})
}

// at gives lines the time at which a log begins: times that no container lived through are those of another zone.
func at(log, lines []string) []string {
	out := slices.Clone(lines)
	for _, line := range log {
		if m := sparkLine.FindStringSubmatch(line); m != nil {
			for i := range out {
				out[i] = strings.NewReplacer("26/01/01 00:00:01", m[1]+"/"+m[2]+"/"+m[3]+" "+m[4],
					"2026-01-01 00:00:01", "20"+m[1]+"-"+m[2]+"-"+m[3]+" "+m[4]).Replace(out[i])
			}
			return out
		}
	}
	return out
}

// ofPackages gives loggers of applications their own package again.
func ofPackages(do func([]string) []string) func([]string) []string {
	return func(lines []string) []string {
		out := do(lines)
		for i := range out {
			out[i] = strings.Replace(out[i], " org.apache.spark.Gate ", " net.example.Gate ", 1)
		}
		return out
	}
}

// stamped puts before each line the time at which the runtime took it: its own, or that of the line before.
func stamped(after string) func([]string) []string {
	return func(lines []string) []string {
		time := at(lines, []string{"2026-01-01 00:00:01"})[0]
		out := make([]string, 0, len(lines))
		for _, line := range lines {
			if m := sparkLine.FindStringSubmatch(line); m != nil {
				time = "20" + m[1] + "-" + m[2] + "-" + m[3] + " " + m[4]
			}
			out = append(out, strings.Replace(time, " ", "T", 1)+".123456789Z "+after+line)
		}
		return out
	}
}

// survivedLines are complaints of a job that handles them, where a program begins.
func survivedLines() []string {
	return []string{
		"26/01/01 00:00:01 ERROR FeatureCache: could not reach cache.example.org:6379, going on without it",
		"java.net.ConnectException: Connection refused",
		"\tat java.base/sun.nio.ch.Net.connect0(Native Method)",
		"\tat net.example.cache.Client.open(Client.java:71)",
		"26/01/01 00:00:01 WARN Lookup: access denied for optional table extras (403 Forbidden), skipped",
		"2026-01-01 00:00:01,204 ERROR app.config - optional setting was not found",
		"Traceback (most recent call last):",
		`  File "/opt/app/config.py", line 12, in optional`,
		"    return os.environ[name]",
		"KeyError: 'OPTIONAL'",
		"26/01/01 00:00:01 INFO SparkContext: Starting job: count at Warmup.scala:3",
		"26/01/01 00:00:01 INFO DAGScheduler: Job 0 finished: count at Warmup.scala:3, took 0.1 s",
	}
}

// change is what befalls a log on its way, or what else stands in it.
type change struct {
	name string
	do   func(lines []string) []string
	// same says that the verdict keeps its class. Otherwise it may be unknown.
	same bool
}

func eachLine(f func(string) string) func([]string) []string {
	return func(lines []string) []string {
		out := make([]string, 0, len(lines))
		for _, line := range lines {
			out = append(out, f(line))
		}
		return out
	}
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

// survived puts what was survived behind the first line of Spark.
func survived(lines []string) []string {
	first := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "Running Spark version") })
	if first < 0 {
		return lines
	}
	return slices.Concat(lines[:first+1], at(lines, survivedLines()), lines[first+1:])
}

func between(before func(string) bool) func([]string) []string {
	return func(lines []string) []string {
		what := quietLines(lines)
		var out []string
		for i, line := range lines {
			if before(line) {
				out = append(out, what[i%len(what)])
			}
			out = append(out, line)
		}
		return out
	}
}

// asJSON writes what a logger wrote as records, stack traces with it.
func asJSON(lines []string) []string {
	var out []string
	var record map[string]string
	flush := func() {
		if record == nil {
			return
		}
		text, _ := json.Marshal(record)
		out, record = append(out, string(text)), nil
	}
	trace := regexp.MustCompile(`^(?:\s+at |Caused by: |\s*\.\.\. \d+ more|[\w.$]+(?:Exception|Error)(?::|$))`)
	for _, line := range lines {
		if m := sparkLine.FindStringSubmatch(line); m != nil {
			flush()
			record = map[string]string{"@timestamp": fmt.Sprintf("20%s-%s-%sT%s.000Z", m[1], m[2], m[3], m[4]), "level": m[5], "logger": m[6],
				"message": m[7]}
			continue
		}
		if record != nil && record["level"] != "INFO" && trace.MatchString(line) {
			record["stack_trace"] = strings.TrimPrefix(record["stack_trace"]+"\n"+line, "\n")
			continue
		}
		flush()
		out = append(out, line)
	}
	flush()
	return out
}

// TestWhatBefallsALogDoesNotChangeTheVerdict: the class stays, or the answer becomes that nobody can tell. It never becomes another one.
func TestWhatBefallsALogDoesNotChangeTheVerdict(t *testing.T) {
	tried := map[string]int{}
	for _, c := range sampling.Of(logged(t)) {
		whole := why.Open(c.evidence(c.objects, ""))
		right := append([]string{c.Class, string(whole.Verdict().Class)}, c.AlsoRight...)
		for _, change := range changes() {
			changed := c
			changed.logs = map[string]string{}
			for file, text := range c.logs {
				if !strings.Contains(file, "_spark-kubernetes-") && strings.HasPrefix(change.name, "quiet lines") {
					changed.logs[file] = text // they are Spark's, and nothing that another container writes
					continue
				}
				lines := change.do(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
				changed.logs[file] = strings.Join(lines, "\n") + "\n"
			}
			f := why.Open(changed.evidence(c.objects, ""))
			v := f.Verdict()
			tried[change.name]++
			name := filepath.Base(c.dir) + ", " + change.name
			switch {
			case v.Class == cause.Unknown && !change.same:
			case c.claims(v) != "":
				t.Errorf("%s: %s (%s): %s", name, c.claims(v), v.Certainty, v.Message)
			case change.same && v.Class != whole.Verdict().Class:
				t.Errorf("%s: %s instead of %s (%s): %s", name, v.Class, whole.Verdict().Class, v.Certainty, v.Message)
			case v.Class != cause.Unknown && !slices.Contains(right, string(v.Class)):
				t.Errorf("%s: %s (%s): %s", name, v.Class, v.Certainty, v.Message)
			}
		}
	}
	require.Len(t, tried, len(changes()))
	if !sampling.Whole() {
		return
	}
	for name, n := range tried {
		require.Greater(t, n, 80, name)
	}
}

// blocks are the parts of a log that stand for themselves: a line of a logger with what follows it, or a run of other lines.
func blocks(lines []string) [][]string {
	var out [][]string
	for i, line := range lines {
		begins := i == 0 || sparkLine.MatchString(line) || strings.HasPrefix(line, "Traceback ") ||
			strings.HasPrefix(line, "Exception in thread ")
		if begins {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], line)
	}
	return out
}

// TestNoBlockOfALogAloneDecides leaves out one block of a log after the other, and turns two neighbors around: then the answer may be that
// nobody can tell, and must not become another one.
func TestNoBlockOfALogAloneDecides(t *testing.T) {
	tried := 0
	for _, c := range sampling.Of(logged(t)) {
		whole := why.Open(c.evidence(c.objects, ""))
		right := append([]string{c.Class, string(whole.Verdict().Class)}, c.AlsoRight...)
		for file, text := range c.logs {
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
					changed.logs = maps.Clone(c.logs)
					changed.logs[file] = strings.Join(slices.Concat(list...), "\n") + "\n"
					f := why.Open(changed.evidence(c.objects, ""))
					if v := f.Verdict(); v.Class != cause.Unknown && (c.claims(v) != "" || !slices.Contains(right, string(v.Class))) {
						t.Errorf("%s %s %.100q: %s (%s): %s", filepath.Base(c.dir), what, all[i][0], v.Class, v.Certainty, v.Message)
					}
				}
			}
		}
	}
	if sampling.Whole() {
		require.Greater(t, tried, 1000)
	}
}
