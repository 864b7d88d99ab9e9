package mechanism

import (
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// blockManagerPort is the port from which a driver serves blocks on Kubernetes: spark-submit sets it and the driver's Service has it
// (spark.driver.blockManager.port in docs/running-on-kubernetes.md@v3.5.5).
const blockManagerPort = 7079

// DriverBlocks is a driver that runs and whose blocks executors cannot fetch, so that tasks fail that need a broadcast. An operator before
// 2.5.1 leaves the port of a SparkConnect's server to chance, where network policies allow 7079 only (#2948). A driver that has ended is
// not reached either.
type DriverBlocks struct {
	Connect   bool
	Port      int
	Executors int  // that say so
	Random    bool // it is not the port that Services and policies know
	TimedOut  bool // nothing answers any of them
}

// Mechanism names it.
func (DriverBlocks) Mechanism() cause.ID { return "driver-blocks" }

func driverBlocks(v *View) []cause.Cause {
	if !v.DriverRuns() || v.Driver.Status.PodIP == "" {
		return nil
	}
	d := DriverBlocks{Connect: v.IsConnect(), TimedOut: true}
	var proofs []cause.Proof
	for _, one := range logs.UnfetchedBlocks(v.Evidence) {
		port, err := strconv.Atoi(one.Port)
		anotherPort := d.Executors > 0 && port != d.Port
		if err != nil || one.IP != v.Driver.Status.PodIP || anotherPort {
			continue
		}
		d.Port = port
		d.Executors++
		d.TimedOut = d.TimedOut && one.TimedOut
		proofs = append(proofs, cause.Proof{Object: v.podNamed(one.Log.Pod), Field: "log " + one.Log.Container, Value: one.Line, At: one.At})
	}
	if d.Executors == 0 {
		return nil
	}
	d.Random = d.Port != blockManagerPort && v.driverBlockPort() == ""
	return []cause.Cause{{Class: cause.Network, Role: cause.ExecutorRole, Certainty: check.Likely, Subject: proofs[0].Object, At: proofs[0].At,
		Trust: cause.ByEnvironment, Topics: cause.Unreached, Detail: d, Evidence: proofs}}
}
