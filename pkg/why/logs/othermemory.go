package logs

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// otherMemory matches what a JVM says of an OutOfMemoryError that no larger heap helps: threads, classes, memory outside the heap
// (src/hotspot/share/memory/universe.cpp, src/hotspot/os/linux/os_linux.cpp and java/nio/Bits.java of openjdk/jdk17u).
var otherMemory = lazyregexp.New(`unable to create (?:new )?native thread|Failed to start the native thread|pthread_create failed` +
	`|OutOfMemoryError: (?:Metaspace|Compressed class space|Direct buffer memory|Cannot reserve)`)

// OtherThanHeap reports whether a log tells that another memory than a heap was full.
func OtherThanHeap(e *app.Evidence) bool {
	for i := range e.Logs {
		if otherMemory.MatchString(e.Logs[i].Tail) {
			return true
		}
	}
	return false
}
