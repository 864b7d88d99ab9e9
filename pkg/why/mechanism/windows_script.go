package mechanism

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// WindowsScript is a script with Windows line ends that a container gets from a ConfigMap: the kernel takes the CR at the end of its first
// line for a part of the interpreter's name, and finds none (fs/binfmt_script.c of torvalds/linux@v6.6). A script of the image looks alike,
// and then no ConfigMap has one.
type WindowsScript struct {
	Role           cause.Role
	ConfigMap, Key string
	At             string // in the container
	Interpreter    string // "bash"; empty: not told
}

// Mechanism names it.
func (WindowsScript) Mechanism() cause.ID { return "windows-script" }

// ScriptOfWindows finds the ConfigMap of a script whose interpreter is not found.
func ScriptOfWindows(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	byEnd := about.Signature == "windows-line-ends"
	if !is || !byEnd && !slices.Contains([]string{"entrypoint-missing", "executable-missing"}, about.Signature) {
		return cause.Cause{}, false
	}
	role, pod := actingPod(v, about, &failed)
	container := mainContainer(pod)
	if container == nil {
		return cause.Cause{}, false
	}
	var found []WindowsScript
	named := func(d WindowsScript) bool {
		return slices.ContainsFunc(failed.Lines, func(line string) bool { return strings.Contains(line, d.At) })
	}
	for _, d := range windowsScripts(v, pod, container) {
		if byEnd || named(d) {
			d.Role, d.Interpreter = role, known.Groups["interpreter"]
			found = append(found, d)
		}
	}
	first := slices.IndexFunc(found, named)
	if first < 0 {
		first = slices.IndexFunc(found, func(d WindowsScript) bool { return d.At == entrypoint || slices.Contains(container.Command, d.At) })
	}
	if first < 0 && len(found) != 1 {
		return cause.Cause{}, false
	}
	d := found[max(0, first)]
	return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap",
			Namespace: pod.Namespace, Name: d.ConfigMap}, Field: "data[" + d.Key + "]",
			Value: "its first line ends with CR LF"}, {Object: Ref(pod), Field: "spec.containers[" + container.Name + "].volumeMounts",
			Value: d.At}}}, true
}

// entrypoint is that of Spark's images (resource-managers/kubernetes/docker/src/main/dockerfiles/spark/Dockerfile@v3.5.5).
const entrypoint = "/opt/entrypoint.sh"

// windowsScripts are those that a container gets from ConfigMaps.
func windowsScripts(v *View, pod *corev1.Pod, container *corev1.Container) (out []WindowsScript) {
	for i := range pod.Spec.Volumes {
		of := pod.Spec.Volumes[i].ConfigMap
		at := -1
		if of != nil {
			at = slices.IndexFunc(v.ConfigMaps, func(k app.Keyed) bool { return k.Name == of.Name })
		}
		if at < 0 {
			continue
		}
		for _, m := range container.VolumeMounts {
			if m.Name != pod.Spec.Volumes[i].Name {
				continue
			}
			for _, key := range v.ConfigMaps[at].Windows {
				if file, is := fileOf(of, key, &m); is {
					out = append(out, WindowsScript{ConfigMap: of.Name, Key: key, At: file})
				}
			}
		}
	}
	return out
}

// fileOf is where a key of a ConfigMap stands in a container that mounts it.
func fileOf(of *corev1.ConfigMapVolumeSource, key string, m *corev1.VolumeMount) (string, bool) {
	file := key
	if len(of.Items) > 0 {
		at := slices.IndexFunc(of.Items, func(i corev1.KeyToPath) bool { return i.Key == key })
		if at < 0 {
			return "", false
		}
		file = of.Items[at].Path
	}
	if m.SubPath == "" {
		return path.Join(m.MountPath, file), true
	}
	return m.MountPath, m.SubPath == file
}
