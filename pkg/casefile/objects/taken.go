package objects

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// nameTaken reports whether spark-submit was refused because a pod of the driver's name existed. The operator puts its own words for
// the API server's 409 (runSparkSubmit, internal/controller/sparkapplication/submission.go@v2.5.2).
func nameTaken(text string) bool {
	return strings.Contains(text, "driver pod already exist") ||
		strings.Contains(text, "AlreadyExists") && strings.Contains(text, "pods \"")
}

// taken says which pod has the driver's name. It was there before this submission, or it would be its driver.
func (v *View) taken(c cause.Cause) cause.Cause {
	name := cmp.Or(v.text("spec", "driver", "podName"), v.DriverName, v.AppRef().Name+"-driver")
	c.Certainty, c.Class = check.Likely, cause.Submission
	c.Message = fmt.Sprintf("the submission failed: a pod %q already existed, and it is gone by now", name)
	c.Next = []command.Command{command.Do("submit it again, once nothing else uses the pod name %s", name)}
	for i := range v.Pods {
		p := &v.Pods[i]
		if p.Name != name || v.Submitted.IsZero() || p.CreationTimestamp.After(v.Submitted) {
			continue
		}
		c.Certainty = check.Proven
		c.Message = fmt.Sprintf("the submission failed: pod %q already existed, of %s: %s since %s, and this submission was at %s", name,
			v.holder(p), p.Status.Phase, p.CreationTimestamp.UTC().Format(time.TimeOnly), v.Submitted.UTC().Format(time.TimeOnly))
		c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "metadata.creationTimestamp",
			Value: p.CreationTimestamp.UTC().Format(time.TimeOnly), At: p.CreationTimestamp.UTC()})
		c.Next = []command.Command{
			command.Do("look whether pod %s does the job's work, and let it finish", name).On("logs", podRef(p)),
			command.Do("delete the pod if it does not, or set another spec.driver.podName, then submit again"),
		}
	}
	return c
}

// holder is whose pod it is, by its labels (pkg/common/spark.go@v2.5.2).
func (v *View) holder(p *corev1.Pod) string {
	const app, submission = "sparkoperator.k8s.io/app-name", "sparkoperator.k8s.io/submission-id"
	switch name := p.Labels[app]; {
	case name == "":
		return "no SparkApplication"
	case name != v.AppRef().Name:
		return fmt.Sprintf("SparkApplication %q", name)
	case p.Labels[submission] != "":
		return fmt.Sprintf("submission %q of this application", p.Labels[submission])
	default:
		return "another submission of this application"
	}
}
