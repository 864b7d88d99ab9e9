package logs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHeapsThatStayFull: full collections that free nothing until the log ends are a cause. Two of them are not, nor are those that free
// memory, those of a process that still runs, and collections of the young generation.
func TestHeapsThatStayFull(t *testing.T) {
	t.Parallel()
	const (
		warn     = "26/03/30 01:27:58 WARN Executor: Issue communicating with driver in heartbeater\n"
		parallel = "[Full GC (Ergonomics) [PSYoungGen: 699050K->0K(699392K)] [ParOldGen: 1397760K->1397760K(1397760K)] 2096128K->2095999K" +
			"(2097152K), [Metaspace: 90K->90K(110K)], 8.7 secs]\n"
		java8 = "26/03/30 01:27:58: [Full GC (Ergonomics)  2096128K->2095999K(2097152K), 8.7 secs]\n"
	)
	of := func(kind string, left, times int) string {
		var b strings.Builder
		for i := range times {
			fmt.Fprintf(&b, "[%d.5s][info][gc] GC(%d) Pause %s 2047M->%dM(2048M) 8827.368ms\n", i+1, i, kind, left)
		}
		return b.String()
	}
	full := func(left, times int) string { return of("Full (G1 Compaction Pause)", left, times) }
	for name, c := range map[string]struct {
		log string
		how outcome
		is  bool
	}{
		"full":                   {warn + full(2046, 5), failed, true},
		"Java 8":                 {strings.Repeat(java8, 4), failed, true},
		"Java 8, by generation":  {strings.Repeat(parallel, 4), failed, true},
		"the old one only":       {strings.Repeat(strings.ReplaceAll(parallel, " 2096128K->2095999K", " 2096128K->1395999K"), 4), failed, false},
		"full again":             {full(900, 3) + full(2046, 4), failed, true},
		"two":                    {full(2046, 2), failed, false},
		"they made room":         {full(1200, 9), failed, false},
		"the last one did":       {full(2046, 9) + full(900, 1), failed, false},
		"a young one did":        {full(2046, 9) + of("Young (Normal) (G1 Evacuation Pause)", 1100, 1), failed, false},
		"the young generation":   {of("Young (Normal) (G1 Evacuation Pause)", 2040, 9), failed, false},
		"the process still runs": {full(2046, 9), running, false},
		"an application's word":  {"Pause Full of 9M->9M(9M)\n", failed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c1, ok := read("", c.log, Clock{}).first(c.how)
			require.Equal(t, c.is, ok && c1.verdict.signature() == "heap-stays-full", "%+v", c1.verdict)
			if c.is {
				require.Equal(t, 2048, c1.verdict.meaning.(HeapStaysFull).Heap)
			}
		})
	}
}
