package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// VolumeUndeclared is a mount of the spec that names a volume which spec.volumes does not have, where a program misses a file below it: the
// operator's webhook leaves such a mount out, without a word (addVolumes in internal/webhook/sparkpod_defaulter.go@v2.5.2, #1273). A
// webhook that did not change the pod looks alike; then the pod lacks what else it adds, too.
type VolumeUndeclared struct {
	Role    cause.Role
	Name    string   // that the mount names
	Path    string   // where it should be
	Volumes []string // that spec.volumes has
}

// Mechanism names it.
func (VolumeUndeclared) Mechanism() cause.ID { return "volume-undeclared" }

// undeclared is about a mount that never arrived because its volume is none of the spec. Spark itself mounts what begins with
// spark-local-dir- (the same).
func undeclared(v *View, about *cause.Cause, n *NeverArrived) (cause.Cause, bool) {
	if n.What != GivenVolume || v.Spec.HasVolume(n.Name) || app.LocalDirVolume(n.Name) {
		return cause.Cause{}, false
	}
	d := VolumeUndeclared{Role: n.Role, Name: n.Name, Path: n.Path, Volumes: namesOf(v.Spec.Volumes)}
	return cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Role: n.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: []cause.Proof{
			{Object: v.AppRef(), Field: n.Field, Value: n.String()},
			{Object: v.AppRef(), Field: "spec.volumes", Value: strings.Join(d.Volumes, ", ")}}}, true
}

func namesOf(volumes []corev1.Volume) []string {
	out := make([]string, 0, len(volumes))
	for i := range volumes {
		out = append(out, volumes[i].Name)
	}
	return out
}
