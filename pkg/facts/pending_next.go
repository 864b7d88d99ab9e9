package facts

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Next is what to do about a pod that does not start. owner is what the user wrote the pod's spec in: "application".
func (p *PendingReason) Next(pod snapshot.Ref, owner string) []check.Command {
	describe := command.Do("see what the pod waits for").On("describe", pod)
	logs := check.Logs("read what the container logged", pod, p.Container, false)
	switch missing := p.Missing; p.Fault {
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
		return []check.Command{describe, logs}
	case StillInit:
		return []check.Command{logs}
	case NoNodeFits:
		return []check.Command{describe, command.Do("compare with the nodes: requests, taints, labels").With("kubectl describe nodes")}
	default:
		return []check.Command{describe}
	}
}
