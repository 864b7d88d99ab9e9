package change

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// repeats is an application that runs again although it succeeded.
func repeats(v *mechanism.View, c *cause.Cause) []Change {
	if _, is := c.Detail.(mechanism.RunRepeats); !is {
		return nil
	}
	object, prefix := owner(v)
	return []Change{{Object: object, Path: below(prefix, "restartPolicy", "type"), From: "Always", To: "OnFailure", Because: RepeatsSuccess{}}}
}

// overlaps is a run that met another writer of its table, and takes longer than its schedule waits until it starts the next one.
func overlaps(v *mechanism.View, c *cause.Cause) []Change {
	s := v.Schedule
	if !metWriter(c) || s == nil || v.Application == nil || s.ConcurrencyPolicy != "Allow" {
		return nil
	}
	interval := s.Next.Sub(s.LastRunAt)
	took := v.Ended.Sub(v.Application.CreationTimestamp.Time)
	if s.LastRunAt.IsZero() || interval <= 0 || took < interval-time.Minute {
		return nil
	}
	return []Change{{Object: s.Ref(), Path: []string{"spec", "concurrencyPolicy"}, From: "Allow", To: "Forbid",
		Because: LongerThanInterval{Took: took, Interval: interval}}}
}

// metWriter reports whether another writer of a table refused a commit: one that is not named, or another run of the schedule.
func metWriter(c *cause.Cause) bool {
	switch d := c.Detail.(type) {
	case mechanism.OtherWriter:
		return d.Schedule != ""
	case logs.Failure:
		known, is := d.Meaning.(logs.Known)
		return is && known.Signature.ID == "delta-conflict"
	default:
		return false
	}
}
