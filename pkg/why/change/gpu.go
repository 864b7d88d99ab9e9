package change

import (
	"math"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// gpu gives each executor a part of the GPU that it shares. allocFraction is of what is free when an executor starts, minAllocFraction of
// all its memory: one that starts later gets a part of what the earlier ones left (computeRmmPoolSize in sql-plugin/src/main/scala/com/
// nvidia/spark/rapids/GpuDeviceManager.scala of NVIDIA/spark-rapids@v25.06.0).
func gpu(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.GPUShared)
	if !is || len(d.Others) > 0 { // what theirs are is not seen
		return nil
	}
	const spare = 0.9 // what the executors leave free: the context of CUDA and the reserve of each
	floor := func(x float64) float64 { return math.Floor(100*x) / 100 }
	alloc := floor(spare / float64(d.Together))
	last := floor(spare * alloc * math.Pow(1-alloc, float64(d.Together-1)))
	because := SharesGPU{Executors: d.Together, Node: d.Node}
	return []Change{
		set(v, field{setting: "spark.rapids.memory.gpu.allocFraction", holds: "1"}, fraction(alloc), because),
		set(v, field{setting: "spark.rapids.memory.gpu.minAllocFraction", holds: "0.25"}, fraction(last), because),
	}
}

func fraction(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
