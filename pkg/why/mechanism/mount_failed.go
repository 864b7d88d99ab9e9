package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// MountFailed is a driver whose container could not be started because a volume of its pod cannot be mounted into it. The volume is on the
// node: one that is not keeps the pod pending.
type MountFailed struct {
	Server  bool   // it is the server of Spark Connect
	At      string // path in the container
	Said    string // by the runtime
	Volume  string // empty: the container mounts none there
	SubPath string // that does not exist, for which the kubelet made a directory; empty: another fault
	Source  Source // of the volume with that path
}

// Mechanism returns its ID.
func (MountFailed) Mechanism() cause.ID { return "mount-failed" }

// mountFails matches what runc says of a volume that it cannot mount into a container (prepareRootfs and mountToRootfs in
// libcontainer/rootfs_linux.go of opencontainers/runc@v1.2.0).
var mountFails = lazyregexp.New(`error mounting "[^"]*" to rootfs at "([^"]+)": (?s:.*?)(?:: )?([^:]+?)(?:: unknown)?$`)

// mountFailed names the volume and its subPath. The kubelet creates a missing subPath as a directory, which cannot be mounted over a file.
func mountFailed(v *View, p *corev1.Pod, message string) (cause.Cause, bool) {
	m := mountFails.FindStringSubmatch(message)
	if m == nil {
		return cause.Cause{}, false
	}
	d := MountFailed{Server: v.IsConnect(), At: m[1], Said: m[2]}
	var evidence []cause.Proof
	for i := range p.Spec.Containers {
		for _, mount := range p.Spec.Containers[i].VolumeMounts {
			if p.Spec.Containers[i].Name != app.MainName(p) || mount.MountPath != d.At {
				continue
			}
			d.Volume = mount.Name
			if mount.SubPath != "" && strings.Contains(d.Said, "not a directory") {
				d.SubPath, d.Source = mount.SubPath, sourceOf(p, mount.Name)
			}
			evidence = append(evidence, cause.Proof{Object: Ref(p), Field: "spec.containers[" + p.Spec.Containers[i].Name + "].volumeMounts",
				Value: strings.TrimSuffix(mount.Name+" at "+mount.MountPath+", subPath "+mount.SubPath, ", subPath ")})
		}
	}
	return cause.Cause{Class: cause.Configuration, Role: cause.DriverRole, Subject: Ref(p), Detail: d, Evidence: evidence}, true
}
