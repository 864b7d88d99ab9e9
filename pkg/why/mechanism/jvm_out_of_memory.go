package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// JVMOutOfMemory is an executor that ended with 52, SparkExitCode.OOM (core/src/main/scala/org/apache/spark/util/SparkExitCode.scala@
// v3.5.5): its JVM threw an OutOfMemoryError. The kernel kills at the limit of the container with 137 instead.
type JVMOutOfMemory struct {
	Lost Lost
	Heap int64 // MiB that executors may have
}

// Mechanism names what was found.
func (JVMOutOfMemory) Mechanism() cause.ID { return "jvm-out-of-memory" }
