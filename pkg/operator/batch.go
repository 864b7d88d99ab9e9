package operator

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// The schedulers that 2.x knows by name (pkg/common/volcano.go, internal/scheduler/yunikorn/scheduler.go@v2.5.2).
const (
	Volcano  = "volcano"
	YuniKorn = "yunikorn"
)

// BatchSchedulers are those that a controller was told to use.
type BatchSchedulers struct {
	Enabled bool
	Names   []string // --kube-scheduler-names
	Default string   // --default-batch-scheduler
}

// BatchSchedulers returns what the controller's flags say (cmd/operator/controller/start.go@v2.5.2; main.go@
// v1beta2-1.6.2-3.5.0 has only the first).
func (in *Installation) BatchSchedulers() BatchSchedulers {
	if in.Controller == nil {
		return BatchSchedulers{}
	}
	flags := in.controller.flags
	on, set := flags["enable-batch-scheduler"]
	out := BatchSchedulers{Enabled: set && on != "false"}
	if !out.Enabled {
		return out
	}
	if names := unquoted(flags["kube-scheduler-names"]); names != "" {
		out.Names = strings.Split(names, ",")
	}
	out.Default = unquoted(flags["default-batch-scheduler"])
	return out
}

// RefusesSchedulers reports whether a submission to a release fails if its batch scheduler is not there.
func RefusesSchedulers(v Version) bool { return releases.Of(v).RefusesSchedulers }

// Knows reports whether the operator has a scheduler of that name.
func (b BatchSchedulers) Knows(name string) bool {
	return name == Volcano || name == YuniKorn || slices.Contains(b.Names, name)
}
