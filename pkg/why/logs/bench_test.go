package logs_test

import (
	"strings"
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// BenchmarkCauses reads a log of 4 MiB as a busy driver writes it.
func BenchmarkCauses(b *testing.B) {
	line := "26/01/01 00:00:01 INFO TaskSetManager: Finished task 58.0 in stage 1.0 (TID 9) in 3013 ms on 10.0.0.2 (executor 2) (59/60)\n"
	e := ended(1, strings.Repeat(line, (4<<20)/len(line))+uncaught)
	b.ReportAllocs()
	for b.Loop() {
		if len(logs.Causes(e)) != 1 {
			b.Fatal("no cause")
		}
	}
}
