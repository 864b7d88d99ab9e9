package facts

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// PendingNext is what to do about a pod of a finding that does not start, by its Fault. owner is what the user wrote the pod's spec in:
// "application".
func PendingNext(f *check.Finding, owner string) []check.Command {
	pod, _ := f.First("Pod")
	describe := command.Do("see what the pod waits for").On("describe", pod)
	switch missing := missingObject(f); f.Fault {
	case NoImage:
		return []check.Command{command.Do("see why the image cannot be pulled, and correct spec.image or spec.imagePullSecrets").
			On("describe", pod)}
	case LacksObject:
		if missing.Kind == "PersistentVolumeClaim" {
			return []check.Command{command.Do("create %s %s, or correct the name in the volumes of the %s", missing.Kind, missing.Name, owner)}
		}
		return []check.Command{command.Do("create %s %s in namespace %s, or correct its name in the %s", missing.Kind, missing.Name,
			missing.Namespace, owner)}
	case LacksKey:
		return []check.Command{command.Do("add the key to %s %s, or correct it in the %s", missing.Kind, missing.Name, owner).
			On("describe", missing)}
	case NotStarted:
		return []check.Command{describe, check.Logs("read what the container logged", pod, f.Container, false)}
	case StillInit:
		return []check.Command{check.Logs("read what the container logged", pod, f.Container, false)}
	case NoNodeFits:
		return []check.Command{describe, command.Do("compare with the nodes: requests, taints, labels").With("kubectl describe nodes")}
	default:
		return []check.Command{describe}
	}
}

// missingObject is what a pod waits for that does not exist: it is related beside the pod.
func missingObject(f *check.Finding) snapshot.Ref {
	for _, r := range f.Related {
		if r.Kind == "Secret" || r.Kind == "ConfigMap" || r.Kind == "PersistentVolumeClaim" {
			return r
		}
	}
	return snapshot.Ref{}
}
