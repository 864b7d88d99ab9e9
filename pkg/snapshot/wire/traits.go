package wire

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// traitsOf keeps those of the operator's own Deployments: a cluster has many others, of which nothing is compared.
func traitsOf(d *appsv1.Deployment) []snapshot.Trait {
	pod := &d.Spec.Template.Spec
	ours := d.Labels["app.kubernetes.io/name"] == "spark-operator" || slices.ContainsFunc(pod.Containers, func(c corev1.Container) bool {
		return strings.Contains(c.Image, "spark-operator")
	})
	if !ours {
		return nil
	}
	var out []snapshot.Trait
	add := func(path, value string) {
		if value != "" {
			out = append(out, snapshot.Trait{Path: path, Value: value})
		}
	}
	for _, v := range pod.Volumes {
		add("volume "+v.Name, sourceOf(v.VolumeSource))
	}
	add("pod securityContext", compact(pod.SecurityContext))
	add("nodeSelector", compact(pod.NodeSelector))
	add("tolerations", compact(pod.Tolerations))
	add("affinity", compact(pod.Affinity))
	add("priorityClassName", pod.PriorityClassName)
	if pod.HostNetwork {
		add("hostNetwork", "true")
	}
	for _, s := range pod.ImagePullSecrets {
		add("imagePullSecret "+s.Name, "used")
	}
	for i := range pod.Containers {
		containerTraits(&pod.Containers[i], add)
	}
	slices.SortFunc(out, func(a, b snapshot.Trait) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Value, b.Value))
	})
	return out
}

// containerTraits are told without the container's name, which differs between releases. Where a variable comes from is kept, not its
// value.
func containerTraits(c *corev1.Container, add func(path, value string)) {
	for _, e := range c.Env {
		from := "a value"
		if e.ValueFrom != nil {
			from = "a reference"
		}
		add("env "+e.Name, from)
	}
	for _, e := range c.EnvFrom {
		switch {
		case e.ConfigMapRef != nil:
			add("envFrom ConfigMap "+e.ConfigMapRef.Name, "used")
		case e.SecretRef != nil:
			add("envFrom Secret "+e.SecretRef.Name, "used")
		}
	}
	for _, m := range c.VolumeMounts {
		add("mount "+m.MountPath, "volume "+m.Name)
	}
	add("securityContext", compact(c.SecurityContext))
	for name, q := range c.Resources.Requests {
		add("requests."+string(name), q.String())
	}
	for name, q := range c.Resources.Limits {
		add("limits."+string(name), q.String())
	}
}

// sourceOf names the kind of a volume and what it holds.
func sourceOf(v corev1.VolumeSource) string {
	switch {
	case v.EmptyDir != nil:
		return "emptyDir"
	case v.Secret != nil:
		return "Secret " + v.Secret.SecretName
	case v.ConfigMap != nil:
		return "ConfigMap " + v.ConfigMap.Name
	case v.PersistentVolumeClaim != nil:
		return "PersistentVolumeClaim " + v.PersistentVolumeClaim.ClaimName
	case v.HostPath != nil:
		return "hostPath " + v.HostPath.Path
	default:
		return "another kind"
	}
}

// maxTrait bounds what is kept of a value.
const maxTrait = 256

// compact is a value as one line of JSON; empty for none.
func compact(v any) string {
	data, err := json.Marshal(v, json.Deterministic(true))
	text := string(data)
	if err != nil || text == "null" || text == "{}" || text == "[]" {
		return ""
	}
	if len(text) > maxTrait {
		return fmt.Sprintf("%s… (%d bytes)", text[:maxTrait], len(text))
	}
	return text
}
