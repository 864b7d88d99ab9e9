package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// CelebornDisks are the workers of Celeborn that cannot take a shuffle for their disks: several that refused it, by the driver's log, or
// those that the master excludes, by its own. A single worker that refuses looks alike, as others may take the shuffle then; and so do
// workers that are excluded for their load.
type CelebornDisks struct {
	Shuffle  string
	Refusing []string // hosts, in the order of the log; none: they are excluded
	All      bool     // no other worker was left
	Excluded int      // workers
	// Of those that are excluded, how many for a disk, the mounts of these disks, and what Celeborn calls them, each once:
	OfDisks          int
	Mounts, Statuses []string
}

// Mechanism names it.
func (CelebornDisks) Mechanism() cause.ID { return "celeborn-disks" }

// WithoutDisks says which workers of Celeborn have no usable disk, where a shuffle was refused.
func WithoutDisks(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, _ := failed.Meaning.(logs.Known)
	d := CelebornDisks{Shuffle: known.Groups["shuffle"]}
	out := cause.Cause{Class: cause.Storage, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust}
	switch known.Signature.ID {
	case "celeborn-no-dirs":
		if d.refusedBy(v); len(d.Refusing) < 2 {
			return cause.Cause{}, false
		}
	case "celeborn-excluded", "celeborn-slots":
		if out.Evidence = d.excluded(v); d.OfDisks == 0 {
			return cause.Cause{}, false
		}
	default:
		return cause.Cause{}, false
	}
	out.Detail = d
	return out, true
}

// What the client of Celeborn in the driver logs: a worker refuses to take a part of a shuffle, and no worker is left to ask, or a single
// one while each block is written to two (client/src/main/scala/org/apache/celeborn/client/LifecycleManager.scala of
// apache/celeborn@v0.6.1).
var (
	refusedSlots = lazyregexp.New(`Failed to reserve buffers for shuffleId (\d+) from worker (?:Host:)?([\w.-]+?):[^\n]*?Reason: ([^\n]*)`)
	noneLeft     = lazyregexp.New(`Retry reserve slots for (\d+) failed caused by not enough slots`)
)

// refusedBy are the workers that found no usable disk for the shuffle, and whether they were all that could take it.
func (d *CelebornDisks) refusedBy(v *View) {
	otherwise := v.Spec.Conf["spark.celeborn.client.push.replicate.enabled"] == "true" // one may be left, and is not enough
	for _, m := range allInDriverLogs(v, refusedSlots) {
		switch {
		case m[1] != d.Shuffle:
		case !strings.HasPrefix(m[3], "Local storage has no available dirs"):
			otherwise = true
		case !slices.Contains(d.Refusing, m[2]):
			d.Refusing = append(d.Refusing, m[2])
		}
	}
	left := slices.ContainsFunc(allInDriverLogs(v, noneLeft), func(m []string) bool { return m[1] == d.Shuffle })
	d.All = left && !otherwise
}

// excluded are the workers that the master excludes for their disks. It returns the lines that say so.
func (d *CelebornDisks) excluded(v *View) []cause.Proof {
	var proofs []cause.Proof
	d.Excluded = len(v.CelebornExcludes)
	for i := range v.CelebornExcludes {
		disks := v.CelebornExcludes[i].Disks
		if len(disks) > 0 {
			d.OfDisks++
		}
		for j := range disks {
			one := &disks[j]
			if !slices.Contains(d.Mounts, one.Mount) {
				d.Mounts = append(d.Mounts, one.Mount)
			}
			if !slices.Contains(d.Statuses, one.Status) {
				d.Statuses = append(d.Statuses, one.Status)
			}
			if j == 0 && len(proofs) < maxFailures {
				proofs = append(proofs, cause.Proof{Object: one.Pod, Field: "log " + one.Container, Value: one.Text})
			}
		}
	}
	return proofs
}
