package mechanism

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// UserNameless is which user a container runs as, where a log says that its user ID has no name: the one of its securityContext, or that of
// its pod. The entrypoint of Spark's images writes a name into /etc/passwd if it may (resource-managers/kubernetes/docker/src/main/
// dockerfiles/spark/entrypoint.sh@v3.5.5), which a read-only root filesystem never lets it. A container that runs as the user of its image
// looks alike: of that nothing is known.
type UserNameless struct {
	Role     cause.Role
	User     int64
	ReadOnly bool // its root filesystem
}

// Mechanism names it.
func (UserNameless) Mechanism() cause.ID { return "user-nameless" }

// NamelessUser finds the user ID of the process that misses a name.
func NamelessUser(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is || about.Signature != "user-without-name" || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	role, pod := actingPod(v, about, &failed)
	c := mainContainer(pod)
	if c == nil {
		return cause.Cause{}, false
	}
	d, field := UserNameless{Role: role}, ""
	if s := pod.Spec.SecurityContext; s != nil && s.RunAsUser != nil {
		d.User, field = *s.RunAsUser, "spec.securityContext"
	}
	if s := c.SecurityContext; s != nil {
		if s.RunAsUser != nil {
			d.User, field = *s.RunAsUser, "spec.containers["+c.Name+"].securityContext"
		}
		d.ReadOnly = s.ReadOnlyRootFilesystem != nil && *s.ReadOnlyRootFilesystem
	}
	if field == "" {
		return cause.Cause{}, false
	}
	out := cause.Cause{Class: about.Class, Role: role, Subject: about.Subject, Trust: about.Trust, Detail: d,
		Evidence: []cause.Proof{{Object: Ref(pod), Field: field + ".runAsUser", Value: strconv.FormatInt(d.User, 10)}}}
	if d.ReadOnly {
		out.Evidence = append(out.Evidence, readOnlyRoot(pod, c))
	}
	return out, true
}

func readOnlyRoot(pod *corev1.Pod, c *corev1.Container) cause.Proof {
	return cause.Proof{Object: Ref(pod), Field: "spec.containers[" + c.Name + "].securityContext.readOnlyRootFilesystem", Value: "true"}
}
