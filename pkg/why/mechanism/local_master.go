package mechanism

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// LocalMaster is a driver that asks for no executor because its program sets a local master, over the one that spark-submit was given
// (docs/configuration.md of apache/spark@v3.5.5: properties set in the program take precedence). A driver whose executors are slow to come
// looks alike: its log does not say that it runs tasks itself.
type LocalMaster struct {
	Asked int // executors
}

// Mechanism names it.
func (LocalMaster) Mechanism() cause.ID { return "local-master" }

func localMaster(v *View) []cause.Cause {
	if v.Work.Local == "" || !v.DriverRuns() || v.IsConnect() || v.Spec.Asked() == 0 || v.Running() > 0 {
		return nil
	}
	pod := Ref(v.Driver)
	return []cause.Cause{{Class: cause.Configuration, Role: cause.ExecutorRole, Subject: pod, Trust: cause.ByContainer,
		Detail: LocalMaster{Asked: v.Spec.Asked()},
		Evidence: []cause.Proof{{Object: pod, Field: v.logField(), Value: v.Work.Local},
			{Object: v.AppRef(), Field: "spec.executor.instances", Value: fmt.Sprint(v.Spec.Asked())}},
	}}
}
