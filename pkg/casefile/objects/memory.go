package objects

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// memory is what Spark asks for a role, and how it adds up (docs/running-on-kubernetes.md@v3.5.5: memoryOverheadFactor is 0.1 for JVM
// jobs and 0.4 for others, at least 384 MiB).
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
	overhead, fixed := mebibytes(v.setting(role, "memoryOverhead", "spark."+role+".memoryOverhead"))
	how := ""
	if !fixed {
		factor := v.factor(role)
		overhead = max(int64(float64(heap)*factor), 384)
		how = " (" + strconv.FormatFloat(factor*100, 'f', -1, 64) + " %, at least 384Mi)"
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
			out.add(n, "off-heap")
		}
	}
	if n, ok := mebibytes(v.conf("spark.executor.pyspark.memory")); ok {
		out.add(n, "pyspark")
	}
	return out
}

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

func (v *View) factor(role string) float64 {
	for _, text := range []string{v.text("spec", "memoryOverheadFactor"), v.conf("spark." + role + ".memoryOverheadFactor"),
		v.conf("spark.kubernetes.memoryOverheadFactor")} {
		if f, err := strconv.ParseFloat(text, 64); err == nil && f > 0 {
			return f
		}
	}
	if kind := v.text("spec", "type"); kind == "Python" || kind == "R" {
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
			if v.Application != nil && near(q, m.MiB) {
				text += " = " + m.Sum
			}
			return text
		}
	}
	if v.Application == nil {
		return ""
	}
	return fmt.Sprintf("%dMi = %s", m.MiB, m.Sum)
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
