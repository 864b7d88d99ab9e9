package words

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Limit says a memory limit and how it adds up; empty: nothing is known of it.
func Limit(l mechanism.MemoryLimit) string {
	summed, sum, seen := len(l.Sum.Parts) > 0, sumOf(l.Sum), !l.Pod.IsZero()
	switch {
	case seen && summed && l.Over == 0:
		return l.Pod.String() + " = " + sum
	case seen && summed && l.Over < 0:
		return fmt.Sprintf("%s, less than the %s that the spec adds up to (%s)", l.Pod.String(), mebibytes(l.Sum.MiB), sum)
	case seen:
		return l.Pod.String()
	case !summed:
		return ""
	case l.Field > 0:
		return mebibytes(l.Field) + " (memoryLimit, which the webhook sets)"
	default:
		return fmt.Sprintf("%dMi = %s", l.Sum.MiB, sum)
	}
}

// sumOf is an addition: "4g heap + 1638Mi overhead (40 %, at least 384Mi)".
func sumOf(s app.MemorySum) string {
	text := ""
	for i, part := range s.Parts {
		if part.Uncounted {
			text += fmt.Sprintf(", without %s %s, which Spark counts since 3.1", mebibytes(part.MiB), part.Of)
			continue
		}
		if i > 0 {
			text += " + "
		}
		text += mebibytes(part.MiB) + " " + string(part.Of)
		if part.Of == app.OverheadMemory && s.Factor > 0 {
			text += fmt.Sprintf(" (%s %%, at least %s)", strconv.FormatFloat(s.Factor*100, 'f', -1, 64), mebibytes(s.Least))
		}
	}
	return text
}

// mebibytes writes MiB: 10g, 384Mi.
func mebibytes(n int64) string {
	if n > 0 && n%1024 == 0 {
		return strconv.FormatInt(n/1024, 10) + "g"
	}
	return strconv.FormatInt(n, 10) + "Mi"
}

// inMemory says which local directories and volumes take of a pod's memory; empty: none do. of is what they count toward: "it".
func inMemory(t mechanism.Tmpfs, spilled mechanism.Spilled, of string) string {
	says := ""
	switch {
	case t.LocalDirs:
		says = "scratch files in memory count toward " + of + " (spark.kubernetes.local.dirs.tmpfs=true)"
	case len(t.Volumes) == 0:
		return ""
	case len(t.Volumes) == 1:
		says = "files in volume " + t.Volumes[0] + " (emptyDir, medium Memory) count toward " + of
	default:
		says = "files in volumes " + strings.Join(t.Volumes, ", ") + " (emptyDir, medium Memory) count toward " + of
	}
	if spilled.MiB > 0 {
		amount := *resource.NewQuantity(spilled.MiB<<20, resource.BinarySI)
		says += ", and executor " + spilled.Executor + " spilled " + phrase.Amount(amount, corev1.ResourceMemory) + " to them"
	}
	return says
}
