package why_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// sparkLine is a line in the layout that most logs of the corpus have.
var sparkLine = regexp.MustCompile(`^(\d{2})/(\d{2})/(\d{2}) (\d{2}:\d{2}:\d{2}) (INFO|WARN|ERROR) ([\w.$]+): (.*)$`)

// isoTime begins a line in the other layout that logs of the corpus have.
var isoTime = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})`)

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

// timeOf reads the date and the time of day at which a line says that it was written.
func timeOf(line string) (date, clock string, ok bool) {
	if m := sparkLine.FindStringSubmatch(line); m != nil {
		return "20" + m[1] + "-" + m[2] + "-" + m[3], m[4], true
	}
	if m := isoTime.FindStringSubmatch(line); m != nil {
		return m[1], m[2], true
	}
	return "", "", false
}

// at gives lines the time at which a log begins: times that no container lived through are those of another zone.
func at(log, lines []string) []string {
	out := slices.Clone(lines)
	for _, line := range log {
		date, clock, ok := timeOf(line)
		if !ok {
			continue
		}
		for i := range out {
			out[i] = strings.NewReplacer("26/01/01 00:00:01", strings.ReplaceAll(date[2:], "-", "/")+" "+clock,
				"2026-01-01 00:00:01", date+" "+clock).Replace(out[i])
		}
		return out
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
			if date, clock, ok := timeOf(line); ok {
				time = date + " " + clock
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

func eachLine(f func(string) string) func([]string) []string {
	return func(lines []string) []string {
		out := make([]string, 0, len(lines))
		for _, line := range lines {
			out = append(out, f(line))
		}
		return out
	}
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
