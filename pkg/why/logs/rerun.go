package logs

import (
	"strings"
	"time"
)

// Rerun is a stage that runs again after tasks could not fetch what executors had written that are gone: then the driver submits that
// stage, and the one whose output is missing, once more (FetchFailed in handleTaskCompletion of
// core/src/main/scala/org/apache/spark/scheduler/DAGScheduler.scala, apache/spark@58359df).
type Rerun struct {
	Stage string // with its attempt: "87.1"
	Lost  Lost   // executors, for the reason for which that one was lost from which a task could not fetch
	Line  string // of the task that failed
	At    time.Time
}

// rerun is the stage at work, where that runs again; nil: the task that finished last is of the first attempt, or none failed to fetch
// from an executor of which the log says that it was lost.
func (s *story) rerun() *Rerun {
	stage := stageIn(s.finished.message)
	for i := len(s.tasks) - 1; i >= 0; i-- {
		at := s.tasks[i].at
		from := blockManager.FindStringSubmatch(s.entries[at].message)
		if from == nil || !repeats(stage, stageIn(s.entries[at].message)) {
			continue
		}
		if lost := s.lostWith(from[1], at); len(lost) > 0 {
			return &Rerun{Stage: stage, Lost: lostOf(lost, lost[0].why), Line: s.entries[at].first, At: s.timeOf(at)}
		}
	}
	return nil
}

// repeats reports whether a stage is a later attempt of one that failed, or of one before it, whose output that stage fetches.
func repeats(stage, failed string) bool {
	id, attempt, _ := strings.Cut(stage, ".")
	failedID, failedAttempt, _ := strings.Cut(failed, ".")
	if number(attempt) < 1 {
		return false
	}
	return number(id) < number(failedID) || id == failedID && number(failedAttempt) < number(attempt)
}

// lostWith are the executors that were lost before an entry for the same reason as one of them; none: that was not.
func (s *story) lostWith(executor string, before int) []loss {
	byReason := map[LossReason][]loss{}
	var out []loss
	for _, l := range s.losses {
		if l.at > before || l.byTask {
			continue
		}
		byReason[l.why] = append(byReason[l.why], l)
		if l.executor == executor {
			out = byReason[l.why]
		}
		if len(out) > 0 && l.why == out[0].why {
			out = byReason[l.why]
		}
	}
	return out
}
