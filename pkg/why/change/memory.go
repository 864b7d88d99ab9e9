package change

import (
	"math"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// more is by how much memory is raised where no peak is known: what a process asked for when it was ended, or ran out, is not recorded
// anywhere, so that a first step must be large enough to tell whether memory is it.
const more = 1.5

// memory is about processes that exceeded the limit of their container, or filled their heap.
func memory(v *mechanism.View, c *cause.Cause) []Change {
	switch d := c.Detail.(type) {
	case mechanism.OOM:
		return container(v, roleOf(c), d.Tmpfs, d.Limit)
	case mechanism.WorkersKilled:
		if d.Limit > 0 {
			return container(v, cause.ExecutorRole, v.Tmpfs(cause.ExecutorRole), v.Limit(cause.ExecutorRole))
		}
		return nil
	case logs.Failure:
		switch d.Lost.Reason {
		case logs.OOMKilled:
			return container(v, cause.ExecutorRole, v.Tmpfs(cause.ExecutorRole), v.Limit(cause.ExecutorRole))
		case logs.HeapFull:
			return heapOf(v, cause.ExecutorRole)
		}
	}
	if c.Topics.Has(cause.OutOfHeap | cause.Exit52) {
		return heapOf(v, roleOf(c))
	}
	return nil
}

func roleOf(c *cause.Cause) cause.Role {
	if c.Role == cause.ExecutorRole {
		return cause.ExecutorRole
	}
	return cause.DriverRole
}

// heapOf raises the heap of a role, unless a log tells that another memory was full, for which it would leave less.
func heapOf(v *mechanism.View, role cause.Role) []Change {
	f := heap(role)
	now, known := app.Mebibytes(f.now(v))
	if !known || now == 0 || logs.OtherThanHeap(v.Evidence) {
		return nil
	}
	return []Change{set(v, f, mebi(scaled(now)), Scaled{Times: more, Of: OfPresent})}
}

func scaled(mebi int64) int64 { return int64(math.Ceil(float64(mebi) * more)) }

// container raises the memory limit of a role's containers by the overhead, which is what Spark leaves to all but the heap: a heap never
// exceeds its size. Where scratch space on tmpfs takes of the same memory, that goes.
func container(v *mechanism.View, role cause.Role, tmpfs mechanism.Tmpfs, l mechanism.MemoryLimit) []Change {
	if tmpfs.LocalDirs {
		return []Change{set(v, field{setting: "spark.kubernetes.local.dirs.tmpfs"}, "false", OffMemory{})}
	}
	limit := l.Sum.MiB
	var rest, now int64
	for _, part := range l.Sum.Parts {
		switch {
		case part.Of == app.OverheadMemory:
			now = part.MiB
		case !part.Uncounted:
			rest += part.MiB
		}
	}
	if limit == 0 || l.Over != 0 {
		return nil // something else than the spec decides
	}
	if !l.Pod.IsZero() {
		limit = l.Pod.Value() >> 20
	}
	if l.Field > 0 {
		f := field{role, "memoryLimit", "", ""}
		return []Change{set(v, f, mebi(scaled(l.Field)), Scaled{Times: more, Of: OfPresent})}
	}
	f := overhead(role)
	c := set(v, f, mebi(scaled(limit)-rest), Scaled{Times: more, Of: OfLimit, Value: strconv.FormatInt(limit, 10) + " MiB"})
	if c.From == nil && c.Implied == "" {
		c.Implied = mebi(now)
	}
	return []Change{c}
}

// mebi is an amount of memory as Spark reads it.
func mebi(n int64) string {
	if n > 0 && n%1024 == 0 {
		return strconv.FormatInt(n/1024, 10) + "g"
	}
	return strconv.FormatInt(n, 10) + "m"
}
