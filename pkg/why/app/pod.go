package app

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Container is the state of the container that Spark runs in. A template may give it another name: then it is the first.
func Container(p *corev1.Pod) *corev1.ContainerStatus {
	list := p.Status.ContainerStatuses
	at := slices.IndexFunc(list, func(c corev1.ContainerStatus) bool { return c.Name == MainName(p) })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// MainName is the name of that container.
func MainName(p *corev1.Pod) string {
	for _, c := range p.Spec.Containers {
		if strings.HasPrefix(c.Name, "spark-kubernetes-") {
			return c.Name
		}
	}
	if len(p.Spec.Containers) > 0 {
		return p.Spec.Containers[0].Name
	}
	return ""
}

// MainImage is the image of the container that Spark runs in.
func MainImage(p *corev1.Pod) string {
	for _, c := range p.Spec.Containers {
		if c.Name == MainName(p) {
			return c.Image
		}
	}
	return ""
}

// Termination is how the container of Spark ended, now or before its last restart; nil: it has not.
func Termination(p *corev1.Pod) *corev1.ContainerStateTerminated {
	c := Container(p)
	switch {
	case c == nil:
		return nil
	case c.State.Terminated != nil:
		return c.State.Terminated
	default:
		return c.LastTerminationState.Terminated
	}
}

// roleOfServer is the spark-role of the server of Spark Connect (pkg/common/spark.go@v2.5.2).
const roleOfServer = "connect-server"

// RoleOf is what a pod is to Spark. A pod that was asked for by name may have no label.
func RoleOf(p *corev1.Pod) string {
	if r := p.Labels["spark-role"]; r != "" {
		if r == roleOfServer {
			return "driver" // the server of Spark Connect is the driver
		}
		return r
	}
	return PodNameOf(p.Name).role()
}
