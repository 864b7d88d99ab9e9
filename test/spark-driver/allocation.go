package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
)

// wave is how long a job has tasks for as many executors as dynamic allocation gives it, and then for as few.
const wave = 12 * time.Second

// target is how many executors a job starts with and, with dynamic allocation, how many it wants later: its tasks come in waves
// (ExecutorAllocationManager; spark.dynamicAllocation.initialExecutors defaults to minExecutors).
func target(conf sparkconf.Conf) (int, func(time.Duration) int, error) {
	if conf["spark.dynamicAllocation.enabled"] != "true" {
		n, err := strconv.Atoi(conf.First("spark.executor.instances"))
		if err != nil {
			return 0, nil, fmt.Errorf("parsing spark.executor.instances: %w", err)
		}
		return n, nil, nil
	}
	var bounds [3]int
	for i, keys := range [][]string{{"minExecutors"}, {"maxExecutors"}, {"initialExecutors", "minExecutors"}} {
		for j := range keys {
			keys[j] = "spark.dynamicAllocation." + keys[j]
		}
		n, err := strconv.Atoi(conf.First(keys...))
		if err != nil {
			return 0, nil, fmt.Errorf("parsing %s: %w", keys[0], err)
		}
		bounds[i] = n
	}
	return bounds[2], func(since time.Duration) int { return bounds[1-int(since/wave)%2] }, nil
}

// follow changes how many executors are wanted. Those that are too many are commanded to shut down, and their pods then deleted like
// others that ended (KubernetesClusterSchedulerBackend.doKillExecutors).
func (b *backend) follow(since time.Duration) {
	if b.resize == nil {
		return
	}
	want := b.resize(since)
	if want == b.want {
		return
	}
	fmt.Fprintf(os.Stderr, "INFO ExecutorAllocationManager: wants %d executors instead of %d\n", want, b.want)
	b.orders.shutDown(b.want - want)
	b.want = want
}
