package app

import (
	"cmp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// MemorySum is what Spark asks for a role, and how it adds up (docs/running-on-kubernetes.md@v3.5.5: memoryOverheadFactor is 0.1 for JVM
// jobs and 0.4 for others, at least 384 MiB; getResourcesForClusterManager in core/src/main/scala/org/apache/spark/resource/
// ResourceProfile.scala, apache/spark@0016e35: off-heap memory counts for executors only, that of PySpark only for Python).
type MemorySum struct {
	MiB    int64        // of the container; 0: not known
	Parts  []MemoryPart // the heap first
	Factor float64      // of the heap, which makes the overhead; 0: the spec says the overhead outright
	Least  int64        // MiB of overhead at least, where a factor makes it
}

// MemoryPart is one part of the sum.
type MemoryPart struct {
	Of        MemoryUse
	MiB       int64
	Uncounted bool // it is used, and this release of Spark does not ask for it
}

// MemoryUse is what memory is for, by the name that Spark gives it.
type MemoryUse string

// What memory is for.
const (
	HeapMemory     MemoryUse = "heap"
	OverheadMemory MemoryUse = "overhead"
	OffHeapMemory  MemoryUse = "off-heap"
	PySparkMemory  MemoryUse = "pyspark"
)

func (m *MemorySum) add(mebi int64, of MemoryUse) {
	m.MiB += mebi
	m.Parts = append(m.Parts, MemoryPart{Of: of, MiB: mebi})
}

// Memory is what Spark asks for a role.
func (s *Spec) Memory(role string) MemorySum {
	var out MemorySum
	heap := s.Heap(role)
	out.add(heap, HeapMemory)
	overhead, fixed := s.overhead(role)
	if !fixed {
		out.Factor, out.Least = s.factor(role), 384
		if n, ok := Mebibytes(s.Conf["spark."+role+".minMemoryOverhead"]); ok { // since 4.0 (EXECUTOR_MIN_MEMORY_OVERHEAD)
			out.Least = n
		}
		overhead = max(int64(float64(heap)*out.Factor), out.Least)
	}
	out.add(overhead, OverheadMemory)
	if role != "executor" {
		return out
	}
	if n, ok := s.offHeap(); ok {
		if s.before("3.1") { // apache/spark#29477, left for SPARK-33288
			out.Parts = append(out.Parts, MemoryPart{Of: OffHeapMemory, MiB: n, Uncounted: true})
		} else {
			out.add(n, OffHeapMemory)
		}
	}
	if n, ok := Mebibytes(s.Conf["spark.executor.pyspark.memory"]); ok && s.python() {
		out.add(n, PySparkMemory)
	}
	return out
}

// Heap is that of a role in MiB.
func (s *Spec) Heap(role string) int64 {
	heap, ok := Mebibytes(cmp.Or(s.Role(role).Memory, s.Conf["spark."+role+".memory"]))
	if !ok {
		return 1024
	}
	return heap
}

// offHeap is the memory in MiB that executors are to use beside the heap, where they are.
func (s *Spec) offHeap() (int64, bool) {
	if s.Conf["spark.memory.offHeap.enabled"] != "true" {
		return 0, false
	}
	size := s.Conf["spark.memory.offHeap.size"]
	if n, err := strconv.ParseInt(size, 10, 64); err == nil {
		size = strconv.FormatInt(n>>20, 10) + "m" // without a unit it is in bytes
	}
	return Mebibytes(size)
}

// before reports whether the application says that its Spark is older than a release.
func (s *Spec) before(release string) bool {
	said, err := version.ParseGeneric(s.SparkVersion)
	return err == nil && said.LessThan(version.MustParseGeneric(release))
}

// overhead is what the spec says outright. A field of the role comes before the setting of Spark, and Spark still takes the names of YARN
// for it (configsWithAlternatives in core/src/main/scala/org/apache/spark/SparkConf.scala, apache/spark@0012449).
func (s *Spec) overhead(role string) (int64, bool) {
	for _, text := range []string{cmp.Or(s.Role(role).MemoryOverhead, s.Conf["spark."+role+".memoryOverhead"]),
		s.Conf["spark.yarn."+role+".memoryOverhead"]} {
		if n, ok := Mebibytes(text); ok {
			return n, true
		}
	}
	return 0, false
}

// python reports whether the main file of the application is one of Python.
func (s *Spec) python() bool { return s.Type == "Python" }

// factor is that of the overhead. Spark prefers the one of the role (BasicDriverFeatureStep and BasicExecutorFeatureStep,
// apache/spark@00012ec); the operator passes spec.memoryOverheadFactor before sparkConf, and the last one counts (buildSparkSubmitArgs in
// internal/controller/sparkapplication/submission.go@v2.5.2).
func (s *Spec) factor(role string) float64 {
	for _, text := range []string{s.Conf["spark."+role+".memoryOverheadFactor"], s.Conf["spark.kubernetes.memoryOverheadFactor"],
		s.MemoryOverheadFactor} {
		if f, err := strconv.ParseFloat(text, 64); err == nil && f > 0 {
			return f
		}
	}
	if s.python() || s.Type == "R" {
		return 0.4
	}
	return 0.1
}

// Mebibytes reads memory as Spark does: a number without a unit is in MiB (spark.executor.memory, docs/configuration.md@v3.5.5).
func Mebibytes(text string) (int64, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	number := strings.TrimRight(text, "bkmgtpi")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n < 0 {
		return 0, false
	}
	switch unit := strings.TrimRight(text[len(number):], "bi"); unit {
	case "k":
		return int64(n / 1024), true
	case "", "m":
		return int64(n), true
	case "g":
		return int64(n * 1024), true
	case "t":
		return int64(n * 1024 * 1024), true
	default:
		return 0, false
	}
}
