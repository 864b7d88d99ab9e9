package why

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// Open makes the case file of an application from what is known of it: what mechanisms detect is related, ranked, and said.
func Open(e *app.Evidence) CaseFile { return open(e, words.OfAnswer) }

func open(e *app.Evidence, say func(*rank.Answer) words.Phrase) CaseFile {
	v := mechanism.Look(e)
	answers := rank.Rank(v, rank.Relate(v, detect(v)))
	rank.Complete(v, &answers[0])
	rank.Beside(v, answers, words.Settings(&answers[0]), words.Limit(v.Limit(answers[0].RoleOf())))
	verdict := answers[0].Cause
	verdict.Message = say(&answers[0]).Says // notes read it
	notes := spec.Notes(v, &verdict, answers[0].RoleOf())
	rank.OnceEach(answers)
	return said(v, answers, notes, say)
}

// detect finds all causes, those of objects before those of logs.
func detect(v *mechanism.View) []cause.Cause {
	byObjects := mechanism.Find(v)
	known := slices.ContainsFunc(byObjects, func(c cause.Cause) bool {
		return c.Certainty == check.Proven && rank.Stands(&c) && c.Class.Fault()
	})
	found := slices.Concat(byObjects, mechanism.AtWork(v), logs.Causes(v.Evidence))
	if !known && v.Unsubmitted() {
		for _, c := range logs.FromText(v.Message, v.AppRef()) { // what spark-submit printed, as the operator quotes it
			if c.Signature != "" {
				c.Role = cause.SubmissionRole
				found = append(found, c)
			}
		}
	}
	for i := range found {
		typed(&found[i])
	}
	return found
}

var (
	waits        = regexp.MustCompile(`Could not execute broadcast in \d+ secs|Futures timed out after \[|\bTimeoutException\b`)
	executorLost = regexp.MustCompile(`\bLost executor (\d+) on `)
	executorPod  = regexp.MustCompile(`-exec-(\d+)$`)
)

// typed fills in what the sentence of a cause says that has no detail yet.
func typed(c *cause.Cause) {
	defer located(c)
	if c.Detail != nil {
		return
	}
	lower := strings.ToLower(c.Message)
	says := func(in string, parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(in, p) })
	}
	for topic, is := range map[cause.Topics]bool{
		cause.Memory:    says(lower, "memory", "heap", "gc ", "metaspace"),
		cause.OOMKilled: says(c.Message, "OOMKilled"),
		cause.Exit52:    says(c.Message, "exit code 52"),
		cause.TimesOut:  says(lower, "heartbeat", "futures timed out", "broadcast"),
		cause.OwnLimit: says(c.Message, "OOMKilled", "exit code 137", "activeDeadlineSeconds", "exceeds the limit", "exceeds the total limit",
			"exceeds its local", "liveness"),
		cause.OutOfHeap:     c.Trust == cause.ByExecutorLog && says(c.Message, "OutOfMemoryError"),
		cause.Unsaid:        says(c.Message, mechanism.Unsaid),
		cause.Gone:          says(c.Message, " gone"),
		cause.Killed:        says(c.Message, "OOMKilled", "137"),
		cause.DriverName:    says(c.Message, "-driver-svc"),
		cause.GaveUpWaiting: waits.MatchString(c.Message),
		cause.Unreached:     strings.HasPrefix(c.Message, "executors cannot "),
	} {
		if is {
			c.Topics |= topic
		}
	}
	if c.Role == "" && (says(c.Subject.Name, "-exec-") || says(c.Message, "xecutor")) {
		c.Role = cause.ExecutorRole
	}
}

// located fills in what the places of its evidence say of a cause.
func located(c *cause.Cause) {
	if len(c.Evidence) > 0 {
		c.Container, _, _ = strings.Cut(strings.TrimPrefix(c.Evidence[0].Field, "log "), " ")
	}
	for _, e := range c.Evidence {
		if rest, is := strings.CutPrefix(e.Field, "status.initContainerStatuses["); is && c.InitContainer == "" {
			c.InitContainer, _, _ = strings.Cut(rest, "]")
		}
		if m := executorPod.FindStringSubmatch(e.Object.Name); m != nil && !rank.Logged(c) {
			c.Executors = append(c.Executors, m[1])
		}
		if m := executorLost.FindStringSubmatch(e.Value); m != nil && rank.Logged(c) {
			c.Executors = append(c.Executors, m[1])
		}
	}
}

func stateOf(v *mechanism.View) State {
	s := State{Word: v.State, Attempt: v.Attempts, Since: v.Ended}
	if v.Application == nil && v.Schedule == nil && v.Driver == nil && len(v.Executors) == 0 {
		s.Word = "GONE"
		if v.Partial != nil && v.Partial("sparkapplications") {
			s.Word = "NOT_SEEN" // its object may only be missing from the input
		}
	}
	if s.Word == "" && v.Driver != nil && v.Application == nil {
		s.Word = string(v.Driver.Status.Phase)
	}
	begin, end := v.Submitted, v.DriverEnd()
	if v.Driver != nil {
		begin = v.Driver.CreationTimestamp.UTC()
		if c := mechanism.Container(v.Driver); c != nil && c.State.Running != nil {
			begin, end = c.State.Running.StartedAt.UTC(), v.Now
		}
		if t := mechanism.Termination(v.Driver); t != nil && t.StartedAt.Unix() > 0 {
			begin = t.StartedAt.UTC()
		}
	}
	if !v.Since.IsZero() {
		s.Since = v.Since.UTC()
	}
	if s.Since.IsZero() {
		s.Since = begin
	}
	if !begin.IsZero() && end.After(begin) {
		s.Ran = end.Sub(begin).Round(time.Second)
	}
	if retries, limited := v.Retries(); limited {
		s.MaxAttempts = retries + 1
	}
	return s
}
