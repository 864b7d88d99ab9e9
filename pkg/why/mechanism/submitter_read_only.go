package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// readOnlySubmitter shows that spark-submit could not write to a folder of Ivy since the root filesystem of the operator's container is
// read-only, as its chart sets it (controller.securityContext in charts/spark-operator-chart/values.yaml@v2.1.0). A folder that a user may
// not write, or whose parent does not exist, looks alike: of that nothing is known where one controller may write there, or was created
// after the submission.
func readOnlySubmitter(v *View, about *cause.Cause) []cause.Proof {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	dir := known.Groups["dir"]
	if !is || known.Signature.ID != "ivy-cache" || !strings.HasPrefix(dir, "/") {
		return nil
	}
	var out []cause.Proof
	for i := range v.Operator {
		p := &v.Operator[i]
		c := submitterContainer(p)
		if c == nil || !readsOnly(c, dir) || !v.Submitted.IsZero() && p.CreationTimestamp.After(v.Submitted) {
			return nil
		}
		out = append(out, readOnlyRoot(p, c))
	}
	return out
}

// submitterContainer is the operator's in a pod of its controller: "spark-operator-controller" since 2.0, "spark-operator" before
// (charts/spark-operator-chart/templates/controller/deployment.yaml@v2.1.0, templates/deployment.yaml@v1beta2-1.6.2-3.5.0); nil: it was not
// seen.
func submitterContainer(p *corev1.Pod) *corev1.Container {
	for i := range p.Spec.Containers {
		if c := &p.Spec.Containers[i]; strings.HasPrefix(c.Name, "spark-operator") {
			return c
		}
	}
	return nil
}

// readsOnly reports whether a container cannot write to a folder: its root filesystem is read-only, and no volume is mounted above it.
func readsOnly(c *corev1.Container, dir string) bool {
	s := c.SecurityContext
	if s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem {
		return false
	}
	for i := range c.VolumeMounts {
		if within([]string{dir}, c.VolumeMounts[i].MountPath) {
			return false
		}
	}
	return true
}
