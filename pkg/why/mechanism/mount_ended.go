package mechanism

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// MountEnded is the process behind a FUSE mount that ended shortly before a file of the mount could not be read: a pod of the CSI driver on
// the same node, or a sidecar. What it mounted is gone for the pods that had it, also once it runs again
// (juicedata/juicefs-csi-driver#682, #1640). One that ended on another node, or long before, explains nothing.
type MountEnded struct {
	Namespace, Pod, Container string
	Node                      string
	OOMKilled                 bool
	Code                      int32
	Limit                     string // of its memory; empty: none, or not known
	Restarts                  int32
	Ended                     time.Time
}

// Mechanism names it.
func (MountEnded) Mechanism() cause.ID { return "mount-ended" }

// mountPrograms matches the containers that serve FUSE mounts: JuiceFS, Fluid (…-fuse), Mountpoint for S3, gcsfuse, blobfuse, Alluxio,
// and others that have the word (pkg/common/common.go of juicedata/juicefs-csi-driver@v0.28.0; pkg/driver/node/mounter of
// awslabs/mountpoint-s3-csi-driver@v2.0.0; pkg/webhook/sidecar_spec.go of GoogleCloudPlatform/gcs-fuse-csi-driver@v1.14.0).
var mountPrograms = lazyregexp.New(`^jfs-mount$|fuse|^mountpoint$|goofys|rclone|^s3fs`)

// mountBreaks is how long after the process ended the first file may be read in vain.
const mountBreaks = 15 * time.Minute

// EndedMount says why a FUSE mount is dead, where the process behind it ended on the node of a pod of the application.
func EndedMount(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	known, has := failed.Meaning.(logs.Known)
	if !is || !has || known.Signature.ID != "fuse-mount-dead" || about.At.IsZero() {
		return cause.Cause{}, false
	}
	var nodes []string
	for i := range v.Pods {
		if node := v.Pods[i].Spec.NodeName; node != "" {
			nodes = append(nodes, node)
		}
	}
	var found *corev1.Pod
	var d MountEnded
	for _, list := range [][]corev1.Pod{v.Neighbors, v.Pods} {
		for i := range list {
			p := &list[i]
			one, ended := mountEnded(p)
			late := one.Ended.After(about.At.Add(time.Minute)) || about.At.Sub(one.Ended) > mountBreaks
			if ended && !late && slices.Contains(nodes, p.Spec.NodeName) && (found == nil || one.Ended.After(d.Ended)) {
				found, d = p, one
			}
		}
	}
	if found == nil {
		return cause.Cause{}, false
	}
	state := cause.Proof{Object: Ref(found), Field: "status.containerStatuses[" + d.Container + "].lastState.terminated", At: d.Ended,
		Value: endOfMount(found, d.Container).Reason}
	return cause.Cause{Class: cause.Storage, Role: about.Role, Certainty: check.Likely, Subject: Ref(found), Container: d.Container,
		At: d.Ended, Trust: cause.ByContainer, Detail: d, Evidence: []cause.Proof{state}}, true
}

func mountEnded(p *corev1.Pod) (MountEnded, bool) {
	statuses := slices.Concat(p.Status.ContainerStatuses, p.Status.InitContainerStatuses)
	for i := range statuses {
		s := &statuses[i]
		t := endOfMount(p, s.Name)
		ofSpark := app.RoleOf(p) != "" && app.MainName(p) == s.Name
		if t == nil || ofSpark || !mountPrograms.MatchString(s.Name) {
			continue
		}
		d := MountEnded{Namespace: p.Namespace, Pod: p.Name, Container: s.Name, Node: p.Spec.NodeName, OOMKilled: t.Reason == "OOMKilled",
			Code: t.ExitCode, Restarts: s.RestartCount, Ended: t.FinishedAt.UTC()}
		for _, c := range slices.Concat(p.Spec.Containers, p.Spec.InitContainers) {
			if limit, has := c.Resources.Limits[corev1.ResourceMemory]; has && c.Name == s.Name {
				d.Limit = limit.String()
			}
		}
		return d, true
	}
	return MountEnded{}, false
}

// endOfMount is how a container ended last; nil: it did not.
func endOfMount(p *corev1.Pod, container string) *corev1.ContainerStateTerminated {
	for _, s := range slices.Concat(p.Status.ContainerStatuses, p.Status.InitContainerStatuses) {
		switch {
		case s.Name != container:
		case s.State.Terminated != nil && s.State.Terminated.ExitCode != 0:
			return s.State.Terminated
		default:
			return s.LastTerminationState.Terminated
		}
	}
	return nil
}
