package snapshot

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Deployment is what is read of a Deployment to find operators and the controllers that own finalizers.
type Deployment struct {
	Object
	Containers []Container
	Mounts     []SecretMount     // volumes that are Secrets
	Selector   map[string]string // spec.selector.matchLabels
	Account    Account           // the service account of its pods
	Helm       HelmRelease       // that made it; zero: none that says so
	Replicas   int32
	Ready      int32
	// Changed is when a rollout last moved on or the Deployment became available or unavailable; zero if unknown.
	Changed time.Time
}

// HelmRelease is a release of Helm, as it annotates what it makes (pkg/action/validate.go of helm.sh/helm/v3@v3.22.0).
type HelmRelease struct{ Namespace, Name string }

// Container is a container of a pod template.
type Container struct {
	Name, Image string
	Args        []string // command and args in order, without secrets
	Ports       []ContainerPort
	// LowPorts is what lets its process listen on ports below 1024 though the image does not run as root: a user, a capability or a
	// sysctl; empty: the spec says nothing of the kind.
	LowPorts string
}

// ContainerPort is a port that a container names.
type ContainerPort struct {
	Name string
	Port int32
}

// SecretMount is a volume of a pod template that a Secret fills.
type SecretMount struct{ Volume, Secret string }

func deploymentFrom(d *appsv1.Deployment, loc Location) Deployment {
	out := Deployment{Object: objectFrom("apps/v1", "Deployment", &d.ObjectMeta, loc), Replicas: 1, Ready: d.Status.ReadyReplicas}
	out.Helm = HelmRelease{d.Annotations["meta.helm.sh/release-namespace"], d.Annotations["meta.helm.sh/release-name"]}
	if d.Spec.Replicas != nil {
		out.Replicas = *d.Spec.Replicas
	}
	for _, c := range d.Status.Conditions {
		for _, t := range []time.Time{c.LastTransitionTime.UTC(), c.LastUpdateTime.UTC()} {
			if c.Type != appsv1.DeploymentReplicaFailure && t.After(out.Changed) {
				out.Changed = t
			}
		}
	}
	if d.Spec.Selector != nil {
		out.Selector = d.Spec.Selector.MatchLabels
	}
	out.Account = Account{d.Namespace, cmp.Or(d.Spec.Template.Spec.ServiceAccountName, d.Spec.Template.Spec.DeprecatedServiceAccount, DefaultAccount)}
	for _, c := range d.Spec.Template.Spec.Containers {
		one := Container{Name: c.Name, Image: c.Image, Args: slices.Concat(c.Command, c.Args)}
		one.LowPorts = lowPorts(&d.Spec.Template.Spec, &c)
		for _, p := range c.Ports {
			one.Ports = append(one.Ports, ContainerPort{p.Name, p.ContainerPort})
		}
		out.Containers = append(out.Containers, one)
	}
	for _, v := range d.Spec.Template.Spec.Volumes {
		if v.Secret != nil {
			out.Mounts = append(out.Mounts, SecretMount{v.Name, v.Secret.SecretName})
		}
	}
	return out
}

// lowPorts returns what of a spec may let a container listen on a port below 1024. A capability may not be enough for a process
// that is not root (kubernetes/kubernetes#56374), but it may have been given to the program as well.
func lowPorts(spec *corev1.PodSpec, c *corev1.Container) string {
	var user *int64
	if spec.SecurityContext != nil {
		user = spec.SecurityContext.RunAsUser
		for _, s := range spec.SecurityContext.Sysctls {
			if s.Name == "net.ipv4.ip_unprivileged_port_start" {
				return "sysctl " + s.Name + "=" + s.Value
			}
		}
	}
	if sc := c.SecurityContext; sc != nil {
		user = cmp.Or(sc.RunAsUser, user)
		switch {
		case sc.Privileged != nil && *sc.Privileged:
			return "privileged"
		case sc.Capabilities != nil && slices.ContainsFunc(sc.Capabilities.Add, func(c corev1.Capability) bool { return c == "NET_BIND_SERVICE" || c == "ALL" }):
			return "capability NET_BIND_SERVICE"
		}
	}
	if user != nil && *user == 0 {
		return "runAsUser 0"
	}
	return ""
}
