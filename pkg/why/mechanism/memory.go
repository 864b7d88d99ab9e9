package mechanism

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// memory is what Spark asks for a role, and how it adds up (docs/running-on-kubernetes.md@v3.5.5: memoryOverheadFactor is 0.1 for JVM
// jobs and 0.4 for others, at least 384 MiB; getResourcesForClusterManager in core/src/main/scala/org/apache/spark/resource/
// ResourceProfile.scala, apache/spark@0016e35: off-heap memory counts for executors only, that of PySpark only for Python).
type memory struct {
	MiB int64  // of the container; 0: not known
	Sum string // "2g heap + 819Mi overhead (40 %)"
}

func (v *View) memory(role string) memory {
	heap, ok := mebibytes(v.setting(role, "memory", "spark."+role+".memory"))
	if !ok {
		heap = 1024
	}
	out := memory{MiB: heap, Sum: human(heap) + " heap"}
	overhead, fixed := v.overhead(role)
	how := ""
	if !fixed {
		factor, least := v.factor(role), int64(384)
		if n, ok := mebibytes(v.conf("spark." + role + ".minMemoryOverhead")); ok { // since 4.0 (EXECUTOR_MIN_MEMORY_OVERHEAD)
			least = n
		}
		overhead = max(int64(float64(heap)*factor), least)
		how = " (" + strconv.FormatFloat(factor*100, 'f', -1, 64) + " %, at least " + human(least) + ")"
	}
	out.add(overhead, "overhead"+how)
	if role != "executor" {
		return out
	}
	if v.conf("spark.memory.offHeap.enabled") == "true" {
		size := v.conf("spark.memory.offHeap.size")
		if n, err := strconv.ParseInt(size, 10, 64); err == nil {
			size = strconv.FormatInt(n>>20, 10) + "m" // without a unit it is in bytes
		}
		if n, ok := mebibytes(size); ok {
			if v.before("3.1") { // apache/spark#29477, left for SPARK-33288
				out.Sum += ", without " + human(n) + " off-heap, which Spark counts since 3.1"
			} else {
				out.add(n, "off-heap")
			}
		}
	}
	if n, ok := mebibytes(v.conf("spark.executor.pyspark.memory")); ok && v.python() {
		out.add(n, "pyspark")
	}
	return out
}

// before reports whether the application says that its Spark is older than a release.
func (v *View) before(release string) bool {
	said, err := version.ParseGeneric(v.text("spec", "sparkVersion"))
	return err == nil && said.LessThan(version.MustParseGeneric(release))
}

// overhead is what the spec says outright. Spark still takes the names of YARN for it (configsWithAlternatives in
// core/src/main/scala/org/apache/spark/SparkConf.scala, apache/spark@0012449).
func (v *View) overhead(role string) (int64, bool) {
	for _, text := range []string{v.setting(role, "memoryOverhead", "spark."+role+".memoryOverhead"),
		v.conf("spark.yarn." + role + ".memoryOverhead")} {
		if n, ok := mebibytes(text); ok {
			return n, true
		}
	}
	return 0, false
}

// python reports whether the main file of the application is one of Python.
func (v *View) python() bool { return v.text("spec", "type") == "Python" }

func (m *memory) add(mebi int64, what string) {
	m.MiB += mebi
	m.Sum += " + " + human(mebi) + " " + what
}

// setting is a field of the role, else the setting of Spark, which the operator passes before the field.
func (v *View) setting(role, field, key string) string {
	if s := v.text("spec", role, field); s != "" {
		return s
	}
	return v.conf(key)
}

// factor is that of the overhead. Spark prefers the one of the role (BasicDriverFeatureStep and BasicExecutorFeatureStep,
// apache/spark@00012ec); the operator passes spec.memoryOverheadFactor before sparkConf, and the last one counts (buildSparkSubmitArgs in
// internal/controller/sparkapplication/submission.go@v2.5.2).
func (v *View) factor(role string) float64 {
	for _, text := range []string{v.conf("spark." + role + ".memoryOverheadFactor"), v.conf("spark.kubernetes.memoryOverheadFactor"),
		v.text("spec", "memoryOverheadFactor")} {
		if f, err := strconv.ParseFloat(text, 64); err == nil && f > 0 {
			return f
		}
	}
	if v.python() || v.text("spec", "type") == "R" {
		return 0.4
	}
	return 0.1
}

// mebibytes reads memory as Spark does: a number without a unit is in MiB (spark.executor.memory, docs/configuration.md@v3.5.5).
func mebibytes(text string) (int64, bool) {
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

// human writes MiB: 10g, 384Mi.
func human(mebi int64) string {
	if mebi > 0 && mebi%1024 == 0 {
		return strconv.FormatInt(mebi/1024, 10) + "g"
	}
	return strconv.FormatInt(mebi, 10) + "Mi"
}

// limitText is the memory limit of a pod's main container and how it adds up, or what the spec adds up to where the pod is gone.
func (v *View) limitText(p *corev1.Pod, role string) string {
	m := v.memory(role)
	if p != nil {
		for i := range p.Spec.Containers {
			c := &p.Spec.Containers[i]
			q, has := c.Resources.Limits[corev1.ResourceMemory]
			if c.Name != MainName(p) || !has {
				continue
			}
			text := q.String()
			switch {
			case v.Application == nil:
			case near(q, m.MiB):
				text += " = " + m.Sum
			case q.Value()>>20 < m.MiB:
				// A LimitRange, memoryLimit or another webhook lowered it (addMemoryLimit in internal/webhook/sparkpod_defaulter.go@v2.5.2).
				text += fmt.Sprintf(", less than the %s that the spec adds up to (%s)", human(m.MiB), m.Sum)
			}
			return text
		}
	}
	if v.Application == nil {
		return ""
	}
	if n, ok := mebibytes(v.text("spec", role, "memoryLimit")); ok {
		return human(n) + " (memoryLimit, which the webhook sets)"
	}
	return fmt.Sprintf("%dMi = %s", m.MiB, m.Sum)
}

// inMemory says which local directories or volumes count against the memory limit of a pod: those on tmpfs
// (spark.kubernetes.local.dirs.tmpfs, docs/running-on-kubernetes.md@v3.5.5; emptyDir in content/en/docs/concepts/storage/volumes.md of
// kubernetes/website). Empty: none do. The pod may be gone.
func (v *View) inMemory(p *corev1.Pod) string {
	if v.conf("spark.kubernetes.local.dirs.tmpfs") == "true" {
		return "spark.kubernetes.local.dirs.tmpfs=true puts shuffle files into the same memory"
	}
	if p == nil {
		return ""
	}
	var names []string
	for i := range p.Spec.Containers {
		if p.Spec.Containers[i].Name != MainName(p) {
			continue
		}
		for _, mount := range p.Spec.Containers[i].VolumeMounts {
			for _, one := range p.Spec.Volumes {
				if one.Name == mount.Name && one.EmptyDir != nil && one.EmptyDir.Medium == corev1.StorageMediumMemory {
					names = append(names, one.Name)
				}
			}
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "what is written to volume " + names[0] + " is in the same memory (emptyDir, medium Memory)"
	default:
		return "what is written to volumes " + strings.Join(names, ", ") + " is in the same memory (emptyDir, medium Memory)"
	}
}

// near allows for rounding.
func near(q resource.Quantity, mebi int64) bool {
	d := q.Value()>>20 - mebi
	return d >= -2 && d <= 2
}

// LimitText is the memory limit of the pods of a role, and how it adds up; empty: there is no application.
func (v *View) LimitText(role string) string {
	if v.Application == nil {
		return ""
	}
	p := v.Driver
	if role == "executor" {
		p = nil
		if len(v.Executors) > 0 {
			p = v.Executors[0]
		}
	}
	return v.limitText(p, role)
}

// KernelKills are events about processes of a program that the kernel killed for memory, on the nodes of the executors; on any node, where
// no executor pod is left to name one (config/kernel-monitor.json of kubernetes/node-problem-detector@v1.34.0; pkg/kubelet/oom/
// oom_watcher_linux.go@kubernetes v1.36.3).
func (v *View) KernelKills(program string, from, to time.Time) []cause.Proof {
	var nodes []string
	for _, p := range v.Executors {
		if p.Spec.NodeName != "" {
			nodes = append(nodes, p.Spec.NodeName)
		}
	}
	var out []cause.Proof
	for _, e := range v.Events {
		of := e.Involved.Kind == "Node" && (len(nodes) == 0 || slices.Contains(nodes, e.Involved.Name)) &&
			(e.Reason == "OOMKilling" || e.Reason == "SystemOOM")
		if of && strings.Contains(e.Message, program) && !e.Last.Before(from) && !e.Last.After(to) {
			out = append(out, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
	}
	slices.SortStableFunc(out, func(a, b cause.Proof) int { return a.At.Compare(b.At) })
	return out
}
