package mechanism

import (
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// StandaloneTooSmall is an application of a standalone cluster, such as a SparkCluster, that asks for executors no worker of it has room
// for: the master says so of it by its id (core/src/main/scala/org/apache/spark/deploy/master/Master.scala@v4.0.0,
// startExecutorsOnWorkers). It says the same while other applications hold the room of workers that are large enough: then a worker that
// was seen is as large as an executor.
type StandaloneTooSmall struct {
	Memory, Cores             int // MiB and cores of an executor, by the driver's log; 0: not known
	WorkerMemory, WorkerCores int // of the largest worker in the logs; 0: not known
}

// Mechanism names it.
func (StandaloneTooSmall) Mechanism() cause.ID { return "standalone-too-small" }

// executorAsk matches the resources of executors in the profile that a driver logs
// (core/src/main/scala/org/apache/spark/resource/ResourceProfile.scala@v4.0.0), workerSize what a worker offers
// (core/src/main/scala/org/apache/spark/deploy/worker/Worker.scala@v4.0.0).
var (
	executorAsk = lazyregexp.New(`Default ResourceProfile created, executor resources: Map\((.*?)\), task resources`)
	askedAmount = lazyregexp.New(`(cores|memory|offHeap) -> name: \w+, amount: (\d+)`)
	workerSize  = lazyregexp.New(`Starting Spark worker \S+ with (\d+) cores, ([\d.]+) (MiB|GiB|TiB) RAM`)
)

func standaloneTooSmall(v *View) []cause.Cause {
	said := v.Standalone.Refused
	if said.Text == "" || !v.Starves() || !v.DriverRuns() {
		return nil
	}
	found, asked := v.standaloneAsk()
	proofs := []cause.Proof{{Object: said.Pod, Field: "log " + said.Container, Value: said.Text}}
	for _, w := range v.Standalone.Workers {
		cores, memory := sizeOfWorker(w.Text)
		if cores == 0 {
			continue
		}
		if memory >= found.WorkerMemory {
			found.WorkerMemory, found.WorkerCores = memory, max(found.WorkerCores, cores)
			proofs = append(proofs[:1], cause.Proof{Object: w.Pod, Field: "log " + w.Container, Value: w.Text})
		}
	}
	if found.WorkerMemory > 0 && (found.Memory == 0 || found.Memory <= found.WorkerMemory && found.Cores <= found.WorkerCores) {
		return nil // a worker is large enough: another application holds it
	}
	if v.Driver == nil {
		return nil
	}
	pod := Ref(v.Driver)
	if asked != "" {
		proofs = append(proofs, cause.Proof{Object: pod, Field: v.logField(), Value: asked})
	}
	return []cause.Cause{{Class: cause.Configuration, Certainty: check.Likely, Role: cause.ExecutorRole, Subject: pod, At: v.Work.StarvedAt,
		Trust: cause.ByCondition, Detail: found, Evidence: proofs}}
}

// standaloneAsk is what the driver asks for an executor, and the line that says so.
func (v *View) standaloneAsk() (found StandaloneTooSmall, line string) {
	l := v.DriverLog()
	if l == nil {
		return found, ""
	}
	m := executorAsk.FindStringSubmatch(l.Head + "\n" + l.Tail)
	if m == nil {
		return found, ""
	}
	for _, one := range askedAmount.FindAllStringSubmatch(m[1], -1) {
		n, err := strconv.Atoi(one[2])
		switch {
		case err != nil:
		case one[1] == "cores":
			found.Cores = n
		default:
			found.Memory += n
		}
	}
	return found, strings.TrimSuffix(m[0], ", task resources")
}

// sizeOfWorker is in cores and MiB.
func sizeOfWorker(line string) (cores, memory int) {
	m := workerSize.FindStringSubmatch(line)
	if m == nil {
		return 0, 0
	}
	cores, err := strconv.Atoi(m[1])
	size, bad := strconv.ParseFloat(m[2], 64)
	if err != nil || bad != nil {
		return 0, 0
	}
	return cores, int(size * float64(map[string]int{"MiB": 1, "GiB": 1 << 10, "TiB": 1 << 20}[m[3]]))
}
