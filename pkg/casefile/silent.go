package casefile

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/objects"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// silentFor is from when on the silence of a driver between two jobs is worth a question.
const silentFor = time.Hour

// idleFor is from when on it is said that a driver has had no job.
const idleFor = 15 * time.Minute

// silent reports whether a driver that wrote of its jobs has written nothing for long, with no job at work: it waits for something, and
// that its pods run does not mean that it gets on. Servers of Spark wait for their clients, and streams write of every trigger.
func (l driverLog) silent(v *objects.View) bool {
	return l.idle(v) && !l.Last.IsZero() && v.Now.Sub(l.Last) > silentFor
}

// unexplained is what is known of such a driver.
func (l driverLog) unexplained(v *objects.View) []cause.Cause {
	if !l.silent(v) {
		return nil
	}
	pod := objects.Ref(v.Driver)
	return []cause.Cause{{Class: cause.Unknown, Effect: true, Subject: pod, At: l.Last, Trust: cause.ByContainer,
		Message: fmt.Sprintf("the driver runs, but it has written nothing for %s, since a job of it ended: it waits, and its log does not say "+
			"for what",
			duration.HumanDuration(v.Now.Sub(l.Last))),
		Evidence: []cause.Proof{{Object: pod, Field: "log " + objects.MainName(v.Driver), Value: l.Wrote, At: l.WroteAt}},
		Next: []command.Command{command.Do("take a thread dump to see what it waits for").With("kubectl -n %s exec %s -- jstack 1", pod.Namespace,
			pod.Name)}}}
}
