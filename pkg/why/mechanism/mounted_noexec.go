package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// MountedNoexec is a native library that cannot be mapped from an emptyDir: the disk of the node below it is mounted with noexec, so that
// another emptyDir does not help. One on tmpfs does (pkg/volume/emptydir/empty_dir.go of kubernetes@v1.36.3 mounts it without noexec). A
// file outside of a mount looks alike.
type MountedNoexec struct {
	Role    cause.Role
	File    string // the library
	Volume  string
	RocksDB bool // that library unpacks where a variable of its own says
}

// Mechanism names it.
func (MountedNoexec) Mechanism() cause.ID { return "mounted-noexec" }

// Noexec finds the volume below a library that cannot be mapped.
func Noexec(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	file := known.Groups["file"]
	role, pod := actingPod(v, about, &failed)
	container := mainContainer(pod)
	if !is || known.Signature.ID != "noexec-volume" || container == nil {
		return cause.Cause{}, false
	}
	var below *corev1.VolumeMount
	for i := range container.VolumeMounts {
		m := &container.VolumeMounts[i]
		if within([]string{file}, m.MountPath) && (below == nil || len(m.MountPath) > len(below.MountPath)) {
			below = m
		}
	}
	for i := range pod.Spec.Volumes {
		of := &pod.Spec.Volumes[i]
		if below == nil || of.Name != below.Name || of.EmptyDir == nil || of.EmptyDir.Medium == corev1.StorageMediumMemory {
			continue
		}
		d := MountedNoexec{Role: role, File: file, Volume: of.Name, RocksDB: strings.Contains(file, "rocksdb")}
		return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: role, Subject: about.Subject, At: about.At,
			Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: Ref(pod), Field: "spec.volumes[" + of.Name + "]",
				Value: "emptyDir at " + below.MountPath}}}, true
	}
	return cause.Cause{}, false
}
