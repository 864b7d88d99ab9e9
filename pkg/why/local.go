package why

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// alone is about a driver that asks for no executor because its program sets a local master, over the one that spark-submit was given
// (docs/configuration.md of apache/spark@v3.5.5: properties set in the program take precedence).
func (l driverLog) alone(v *mechanism.View) []cause.Cause {
	if l.Local == "" || !v.DriverRuns() || v.IsConnect() || v.Asked() == 0 || v.Running() > 0 {
		return nil
	}
	pod := mechanism.Ref(v.Driver)
	return []cause.Cause{{Class: cause.Configuration, Subject: pod, Trust: cause.ByContainer,
		Message: fmt.Sprintf("Spark runs with a local master: the driver runs all tasks itself, and none of %d executors is requested",
			v.Asked()),
		Evidence: []cause.Proof{{Object: pod, Field: "log " + mechanism.MainName(v.Driver), Value: l.Local},
			{Object: v.AppRef(), Field: "spec.executor.instances", Value: fmt.Sprint(v.Asked())}},
		Next: []command.Command{command.Do("remove the master from the program (setMaster, master(\"local[*]\")) and from spec.sparkConf: the " +
			"operator gives it")},
	}}
}
