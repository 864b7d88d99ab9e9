package snapshot

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
)

// Deployment is what is read of a Deployment to find operators and the controllers that own finalizers.
type Deployment struct {
	Object
	Containers []Container
	Selector   map[string]string // spec.selector.matchLabels
	Replicas   int32
	Ready      int32
}

// Container is a container of a pod template.
type Container struct {
	Name, Image string
	Args        []string // command and args in order
}

func deploymentFrom(d *appsv1.Deployment, loc Location) Deployment {
	out := Deployment{Object: objectFrom("apps/v1", "Deployment", &d.ObjectMeta, loc), Replicas: 1, Ready: d.Status.ReadyReplicas}
	if d.Spec.Replicas != nil {
		out.Replicas = *d.Spec.Replicas
	}
	if d.Spec.Selector != nil {
		out.Selector = d.Spec.Selector.MatchLabels
	}
	for _, c := range d.Spec.Template.Spec.Containers {
		out.Containers = append(out.Containers, Container{Name: c.Name, Image: c.Image, Args: slices.Concat(c.Command, c.Args)})
	}
	return out
}
