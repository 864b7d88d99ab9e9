package snapshot

import (
	"time"
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
