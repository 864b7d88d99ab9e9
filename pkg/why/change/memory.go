package change

import (
	"math"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"

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
		return container(v, roleOf(c), d.Tmpfs, d.Limit, need{})
	case mechanism.WorkersKilled:
		if d.Limit > 0 {
			return container(v, cause.ExecutorRole, v.Tmpfs(cause.ExecutorRole), v.Limit(cause.ExecutorRole), ofWorkers(v, &d))
		}
		return nil
	case logs.Failure:
		switch d.Lost.Reason {
		case logs.OOMKilled:
			return container(v, cause.ExecutorRole, v.Tmpfs(cause.ExecutorRole), v.Limit(cause.ExecutorRole), need{})
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

// need is how much overhead processes are known to need at least, in MiB; zero: nothing is known of it.
type need struct {
	mebi    int64
	because Reason
}

// HoldsWorkers is Python workers of an executor, each as large as one was when the kernel killed it, and what a JVM needs beside its heap.
type HoldsWorkers struct {
	Workers int
	Each    resource.Quantity
	JVM     int64 // MiB
}

func (HoldsWorkers) reason() {}

// ofWorkers is what the Python workers of an executor need. The kernel tells what one of them held, which would have grown further: with
// one worker alone no more is known than that it did not fit. Spark leaves a JVM a tenth of its heap and at least 384 MiB
// (docs/running-on-kubernetes.md@v3.5.5, memoryOverheadFactor); what spark.executor.pyspark.memory adds to the limit is Python's already.
func ofWorkers(v *mechanism.View, d *mechanism.WorkersKilled) need {
	const step = 512
	if d.AtOnce < 2 || d.Largest.IsZero() {
		return need{}
	}
	jvm := max(v.Spec.Heap(string(cause.ExecutorRole))/10, leastOverhead)
	python := int64(d.AtOnce) * (d.Largest.Value() >> 20)
	for _, part := range v.Spec.Memory(string(cause.ExecutorRole)).Parts {
		if part.Of == app.PySparkMemory {
			python -= part.MiB
		}
	}
	sum := max(python, 0) + jvm
	return need{(sum + step - 1) / step * step, HoldsWorkers{Workers: d.AtOnce, Each: d.Largest, JVM: jvm}}
}

// container raises the memory limit of a role's containers by the overhead, which is what Spark leaves to all but the heap: a heap never
// exceeds its size. Where scratch space on tmpfs takes of the same memory, that goes.
func container(v *mechanism.View, role cause.Role, tmpfs mechanism.Tmpfs, l mechanism.MemoryLimit, least need) []Change {
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
	to, because := scaled(limit)-rest, Reason(Scaled{Times: more, Of: OfLimit, Value: strconv.FormatInt(limit, 10) + " MiB"})
	if least.mebi > to {
		to, because = least.mebi, least.because
	}
	c := set(v, overhead(role), mebi(to), because)
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
