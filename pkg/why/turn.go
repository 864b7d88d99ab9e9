package why

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// Turn is what a moment began or ended, for a drawing of what ran when.
type Turn int

// The turns. Main is the pod of the driver, or of the server of a SparkConnect.
const (
	OfApplication Turn = iota // of the application as a whole
	OfMain                    // of its main pod, which goes on as before
	MainRuns
	MainEnds
	ExecutorsRun // the first of them
	ExecutorEnds
)

func turnOf(h mechanism.Happening) Turn {
	switch h {
	case mechanism.Submitted, mechanism.TakenUp, mechanism.StateSet:
		return OfApplication
	case mechanism.MainRunning:
		return MainRuns
	case mechanism.MainEnded:
		return MainEnds
	case mechanism.FirstExecutor:
		return ExecutorsRun
	case mechanism.ExecutorLost:
		return ExecutorEnds
	default:
		return OfMain
	}
}

// losses are the executors that were lost, as far as it is known when.
func losses(v *mechanism.View) []Moment {
	var out []Moment
	for _, e := range v.Ends {
		if m := (mechanism.Moment{What: mechanism.ExecutorLost, Why: e.Why}); !e.At.IsZero() {
			out = append(out, Moment{At: e.At.UTC(), Text: words.OfMoment(m), Object: e.Pod, Turn: turnOf(m.What)})
		}
	}
	return out
}
