package snapshot

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// Deployment is what is read of a Deployment to find operators and the controllers that own finalizers.
type Deployment struct {
	Object
	Containers []Container
	Mounts     []SecretMount     // volumes that are Secrets
	Selector   map[string]string // spec.selector.matchLabels
	Account    Account           // the service account of its pods
	Replicas   int32
	Ready      int32
	// Changed is when a rollout last moved on or the Deployment became available or unavailable; zero if unknown.
	Changed time.Time
}

// Container is a container of a pod template.
type Container struct {
	Name, Image string
	Args        []string // command and args in order, without secrets
	Ports       []ContainerPort
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
		one := Container{Name: c.Name, Image: Redact(c.Image), Args: redactArgs(slices.Concat(c.Command, c.Args))}
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
