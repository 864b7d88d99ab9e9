package mechanism

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// volumeNames matches a volume that the kubelet or the attach controller names: by the pod's own name of it, or by that of the
// PersistentVolume (kubernetes pkg/volume/util/operationexecutor/operation_generator.go@v1.36.3).
func volumeNames() *regexp.Regexp { return regexp.MustCompile(`volume "([^"]+)"`) }

// volumeNamed says which claim an event about a volume means, and how it may be used.
func (v *View) volumeNamed(p *corev1.Pod, message string, c *cause.Cause) {
	m := volumeNames().FindStringSubmatch(message)
	if m == nil {
		return
	}
	claim := v.claimOf(p, m[1])
	if claim == "" {
		return
	}
	modes := ""
	for i := range v.Claims {
		one := &v.Claims[i]
		if one.Name != claim {
			continue
		}
		words := make([]string, 0, len(one.Spec.AccessModes))
		for _, mode := range one.Spec.AccessModes {
			words = append(words, string(mode))
		}
		modes = strings.Join(words, ", ")
		c.Evidence = append(c.Evidence, cause.Proof{Object: claimRef(one.Namespace, one.Name), Field: "spec.accessModes", Value: modes})
	}
	users := 0
	for i := range v.Pods {
		if mounts(&v.Pods[i], claim) {
			users++
		}
	}
	said := fmt.Sprintf("claim %s", claim)
	if modes != "" {
		said += " (" + modes + ")"
	}
	if users > 1 {
		said += fmt.Sprintf(", which %d pods of the application mount", users)
	}
	c.Message += "; it is " + said
	if strings.Contains(message, "Multi-Attach") {
		c.Next = []command.Command{command.Do("give each executor a claim of its own (claimName OnDemand), or use a claim with ReadWriteMany "+
			"instead of %s", claim)}
	} else {
		c.Next = append(c.Next, command.Do("look at claim %s", claim).On("describe", claimRef(p.Namespace, claim)))
	}
}

// claimOf is the claim behind a volume of a pod.
func (v *View) claimOf(p *corev1.Pod, volume string) string {
	for _, one := range p.Spec.Volumes {
		if one.PersistentVolumeClaim == nil {
			continue
		}
		name := one.PersistentVolumeClaim.ClaimName
		if one.Name == volume {
			return name
		}
		for i := range v.Claims {
			if v.Claims[i].Name == name && v.Claims[i].Spec.VolumeName == volume {
				return name
			}
		}
	}
	return ""
}

func mounts(p *corev1.Pod, claim string) bool {
	for _, one := range p.Spec.Volumes {
		if one.PersistentVolumeClaim != nil && one.PersistentVolumeClaim.ClaimName == claim {
			return true
		}
	}
	return false
}

// unmounted reads events about volumes. Those of ConfigMaps that spark-submit creates right after the pod are a race that heals.
func unmounted(v *View, p *corev1.Pod, who string, c *cause.Cause) bool {
	events := v.eventsOn("Pod", p.Name, "FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedCreatePodSandBox", "NetworkNotReady")
	for _, e := range slices.Backward(events) {
		m := absent().FindStringSubmatch(e.Message)
		switch {
		case m != nil && slices.Contains(v.ConfigMaps, m[2]) && strings.EqualFold(m[1], "configmap"):
			continue // it is there by now
		case m != nil && ownConfigMap(m[2]) && e.Count <= 3:
			continue
		case strings.HasPrefix(e.Message, "Unable to attach or mount volumes") && len(events) > 1:
			continue // says less than the others
		}
		c.Trust, c.At, c.Alike = cause.ByEvent, e.First, e.Reason+podUID().ReplaceAllString(e.Message, "")
		c.Evidence = []cause.Proof{{Object: c.Subject, Field: "event " + e.Reason, Value: fmt.Sprintf("%s (%d times)", e.Message, e.Count),
			At: e.Last}}
		c.Class, c.Message = cause.Storage, fmt.Sprintf("%s cannot start: a volume cannot be mounted: %s", who, sentence(e.Message))
		c.Next = []command.Command{command.Do("repair the volume that the event names").On("describe", c.Subject)}
		v.volumeNamed(p, e.Message, c)
		awaits := awaited(p, e.Message)
		name := strings.TrimPrefix(awaits, "ConfigMap ")
		if m != nil {
			name = m[2]
		}
		switch {
		case ownConfigMap(name) && v.Unsubmitted():
			c.Class, c.Effect = cause.Submission, true
			c.Message = fmt.Sprintf("%s cannot start: spark-submit ended before it made ConfigMap %q, which it makes right after the pod", who, name)
			c.Next = []command.Command{command.Do("delete the pod, which never starts, and submit again").On("delete", c.Subject)}
		case m != nil || lacksKey().MatchString(e.Message):
			c.Class, c.Message = cause.Configuration, fmt.Sprintf("%s cannot start: %s", who, missing(v, e.Message))
			c.Next = []command.Command{configNext(v, e.Message)}
		case awaits != "":
			c.Class, c.Certainty = cause.Configuration, check.Likely
			c.Message = fmt.Sprintf("%s cannot start: it waits for %s, which most likely does not exist or lacks a key", who, awaits)
		case noHelper().MatchString(e.Message):
			of := noHelper().FindStringSubmatch(e.Message)[1]
			c.Message = fmt.Sprintf("%s cannot start: the node has no program to mount %s: %s", who, of, sentence(e.Message))
			c.Next = []command.Command{command.Do("install the mount helper for %s on the nodes (for nfs: nfs-common or nfs-utils)", of)}
		case e.Reason == "FailedMount" && refusedToMount().MatchString(e.Message):
			c.Class = cause.Credentials
			c.Message = fmt.Sprintf("%s cannot start: access was refused to what a volume is made of: %s", who, sentence(e.Message))
			c.Next = []command.Command{command.Do("grant the identity of service account %s what the volume reads", p.Spec.ServiceAccountName)}
		case e.Reason == "FailedCreatePodSandBox" || e.Reason == "NetworkNotReady":
			unsandboxed(p, who, e.Message, c)
		}
		return true
	}
	return false
}

// noVolume is what the scheduler says when a claim that is bound with its pod finds no volume, and none can be provisioned
// (kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go@v1.36.3: ErrReasonBindConflict).
const noVolume = "didn't find available persistent volumes to bind"

// ofEveryNode reports whether the scheduler gives one reason for all nodes ("0/3 nodes are available: 3 node(s) ...",
// FitError.Error in kubernetes pkg/scheduler/framework/types.go@v1.36.3).
func ofEveryNode(message, reason string) bool {
	var all, of int
	n, _ := fmt.Sscanf(message, "0/%d nodes are available: %d node(s)", &all, &of)
	_, after, found := strings.Cut(message, "node(s) ")
	return n == 2 && all == of && found && strings.HasPrefix(after, reason)
}

// awaited is the ConfigMap or Secret for which a pod waits, by an event that names its volumes only; empty: another kind of volume is among
// them (pkg/kubelet/volumemanager/volume_manager.go of kubernetes@v1.36.3).
func awaited(p *corev1.Pod, message string) string {
	_, list, named := strings.Cut(message, "unmounted volumes=[")
	list, _, _ = strings.Cut(list, "]")
	if !named || list == "" {
		return ""
	}
	source := ""
	for _, volume := range strings.Fields(list) {
		if source = sourceOf(p, volume); !strings.HasPrefix(source, "ConfigMap ") && !strings.HasPrefix(source, "Secret ") {
			return ""
		}
	}
	return source
}

// noHelper matches what mount says where the helper of a file system is missing (libmount/src/context_mount.c of util-linux@v2.39), after
// the arguments that the kubelet quotes (k8s.io/mount-utils mount_linux.go@v0.36.3).
func noHelper() *regexp.Regexp {
	return regexp.MustCompile(`(?s)Mounting arguments: (?:.*?)-t (\S+) .*you might need a /sbin/mount\.`)
}

// podUID matches the directory of a pod on its node, which the messages of mounts name (pkg/kubelet/config/defaults.go@v1.36.3).
func podUID() *regexp.Regexp { return regexp.MustCompile(`/pods/[0-9a-f-]{36}/`) }

// refusedToMount matches what drivers of volumes say where a service of the cloud refused them: secrets stores, file and object storage
// (kubernetes-sigs/secrets-store-csi-driver pkg/secrets-store/nodeserver.go@v1.4.5 hands on what its provider says).
func refusedToMount() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bAADSTS\d+|\bfailed to acquire token\b|\bstatus code (?:was )?40[13]\b|\bUnauthorized\b` +
		`|\bAccessDenied(?:Exception)?\b|\bnot authorized to\b|\bPermissionDenied\b|\b403 Forbidden\b`)
}

// mountFails matches what runc says of a volume that it cannot mount into a container (prepareRootfs and mountToRootfs in
// libcontainer/rootfs_linux.go of opencontainers/runc@v1.2.0).
func mountFails() *regexp.Regexp {
	return regexp.MustCompile(`error mounting "[^"]*" to rootfs at "([^"]+)": (?s:.*?)(?:: )?([^:]+?)(?:: unknown)?$`)
}

// mountFailed names the volume and its subPath. The kubelet creates a missing subPath as a directory, which cannot be mounted over a file.
func mountFailed(p *corev1.Pod, message string, c *cause.Cause) {
	m := mountFails().FindStringSubmatch(message)
	c.Class = cause.Configuration
	c.Message = fmt.Sprintf("the container of the driver could not be started: a volume cannot be mounted at %s: %s", m[1],
		strings.TrimSpace(m[2]))
	c.Next = []command.Command{command.Do("correct the volume that is mounted at %s", m[1])}
	for i := range p.Spec.Containers {
		for _, mount := range p.Spec.Containers[i].VolumeMounts {
			if p.Spec.Containers[i].Name != MainName(p) || mount.MountPath != m[1] {
				continue
			}
			c.Message = fmt.Sprintf("the container of the driver could not be started: volume %s cannot be mounted at %s: %s", mount.Name, m[1],
				strings.TrimSpace(m[2]))
			if mount.SubPath != "" && strings.Contains(m[2], "not a directory") {
				of := sourceOf(p, mount.Name)
				c.Message += fmt.Sprintf("; the kubelet creates a directory for a subPath that does not exist: %s in %s", mount.SubPath, of)
				c.Next = []command.Command{command.Do("correct subPath %s, or add it to %s", mount.SubPath, of)}
			}
			c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "spec.containers[" + p.Spec.Containers[i].Name + "].volumeMounts",
				Value: strings.TrimSuffix(mount.Name+" at "+mount.MountPath+", subPath "+mount.SubPath, ", subPath ")})
		}
	}
}

// sourceOf is what a volume of a pod is made of: "ConfigMap settings".
func sourceOf(p *corev1.Pod, volume string) string {
	for _, one := range p.Spec.Volumes {
		switch {
		case one.Name != volume:
		case one.ConfigMap != nil:
			return "ConfigMap " + one.ConfigMap.Name
		case one.Secret != nil:
			return "Secret " + one.Secret.SecretName
		case one.PersistentVolumeClaim != nil:
			return "PersistentVolumeClaim " + one.PersistentVolumeClaim.ClaimName
		}
	}
	return "volume " + volume
}

// ownConfigMap tells names that spark-submit and the operator give.
func ownConfigMap(name string) bool {
	return strings.HasPrefix(name, "spark-drv-") || strings.HasPrefix(name, "spark-exec-") || strings.HasSuffix(name, "-podspec-conf-map")
}

func claimRef(namespace, name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}
}
