package why

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Latest is the latest time in the logs of an application, in UTC; zero: none is known.
func Latest(e *app.Evidence) time.Time { return logs.Latest(e) }

// logCauses are those that logs tell, and what the catalogue knows of the output of spark-submit that the operator quotes.
func logCauses(v *mechanism.View, byObjects []cause.Cause) []cause.Cause {
	out := logs.Causes(v.Evidence)
	named := slices.ContainsFunc(byObjects, func(c cause.Cause) bool { return c.Certainty == check.Proven && stands(&c) && c.Class.Fault() })
	if named || !v.Unsubmitted() {
		return out
	}
	for _, c := range logs.FromText(v.Message, v.AppRef(), v.Signatures) {
		if c.Signature != "" {
			if v.Application != nil {
				c.Message += "; spark-submit runs in the operator's controller pod, with its image, files and network"
			}
			out = append(out, c)
		}
	}
	return out
}
