package facts

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// RequestsText puts requests into words: "2.5 cores and 4.0 GiB".
func RequestsText(r snapshot.Requests) string {
	unit := "cores"
	if r.MilliCPU == 1000 {
		unit = "core"
	}
	return fmt.Sprintf("%s %s and %.1f GiB", strconv.FormatFloat(float64(r.MilliCPU)/1000, 'f', -1, 64), unit, float64(r.Memory)/(1<<30))
}

// Holding ends a message with what pods request, which may be nothing: "; it and 2 other pods hold 5 cores and 10.0 GiB".
func Holding(others string, r snapshot.Requests) string {
	none := r.MilliCPU == 0 && r.Memory == 0
	switch {
	case none && others == "":
		return ""
	case none:
		return "; it and " + others + " request neither CPU nor memory"
	case others == "":
		return "; it holds " + RequestsText(r)
	default:
		return "; it and " + others + " hold " + RequestsText(r)
	}
}

// EntriesText returns "1 entry" or "2 entries".
func EntriesText(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// ByState lists the states that occur: " (2 RUNNING, 40 UNKNOWN)".
func ByState(e snapshot.ExecutorStates) string {
	var parts []string
	for _, s := range []struct {
		n    int
		name string
	}{{e.Pending, "PENDING"}, {e.Running, "RUNNING"}, {e.Completed, "COMPLETED"}, {e.Failed, "FAILED"}, {e.Unknown, "UNKNOWN"},
		{e.Other, "in another state"}} {
		if s.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", s.n, s.name))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Allocates reports whether Spark's dynamic allocation is on. spec.dynamicAllocation.enabled=false does not unset
// what sparkConf says (internal/controller/sparkapplication/submission.go@v2.5.2, dynamicAllocationOption).
func Allocates(app *snapshot.SparkApplication) bool {
	return app.DynamicAllocation || app.SparkConf.DynamicAllocation
}

// ExecutorStateField is where the operator tracks executors.
const ExecutorStateField = "status.executorState"
