package spec

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// throttled is about a CPU limit below the number of tasks that run at once (spark.executor.cores: the limit does not change it,
// docs/running-on-kubernetes.md@v3.5.5, spark.kubernetes.executor.limit.cores). It makes what is slow or runs into timeouts slower.
func throttled(v *mechanism.View, c *cause.Cause, role string) (Note, bool) {
	if c.Class != cause.SlowButProgressing && !timesOut(c) {
		return Note{}, false
	}
	cores, _ := first(v, role, "cores", "spark."+role+".cores")
	limit, where := first(v, role, "coreLimit", "spark.kubernetes."+role+".limit.cores")
	want, err := resource.ParseQuantity(cores)
	if err != nil || limit == "" {
		return Note{}, false
	}
	most, err := resource.ParseQuantity(limit)
	if err != nil || most.Cmp(want) >= 0 {
		return Note{}, false
	}
	return Note{
		Text: fmt.Sprintf("%s is %s and the %s runs %s tasks at once, so the kernel likely throttles them", where, limit, role, cores),
		Proofs: []cause.Proof{
			proof(v, where, limit), proof(v, role+".cores", cores),
		},
		Next: []command.Command{command.Do("raise or remove %s", where)},
	}, true
}

// timesOut reports whether a verdict is about time that ran out between processes of Spark, which a starved process causes.
func timesOut(c *cause.Cause) bool {
	lower := strings.ToLower(c.Message)
	return strings.Contains(lower, "heartbeat") || strings.Contains(lower, "futures timed out") || strings.Contains(lower, "broadcast")
}

// sharedByPython is about executors of a Python application that exceeded their limit while nothing limits Python
// (spark.executor.pyspark.memory, docs/configuration.md@v3.5.5: then it shares the overhead with all that is no heap).
func sharedByPython(v *mechanism.View, c *cause.Cause, role string) (Note, bool) {
	const key = "spark.executor.pyspark.memory"
	if role != "executor" || v.Spec("type") != "Python" || !strings.Contains(c.Message, "OOMKilled") || v.Settings()[key] != "" {
		return Note{}, false
	}
	return Note{
		Text: "Python workers have no limit of their own (" + key + " is not set): they share the overhead with the JVM's native memory",
		Next: []command.Command{command.Do("set %s if Python workers hold the memory: Spark adds it to the limit", key)},
	}, true
}

// readOnlyRoot is about a directory that cannot be written because the container's own file system is read-only: the pod says so, and the
// error often does not.
func readOnlyRoot(v *mechanism.View, c *cause.Cause, role string) (Note, bool) {
	if c.Signature != "local-dir" && c.Signature != "disk-read-only" {
		return Note{}, false
	}
	p := podOf(v, c, role)
	one := mainOf(p)
	if one == nil || one.SecurityContext == nil {
		return Note{}, false
	}
	if only := one.SecurityContext.ReadOnlyRootFilesystem; only == nil || !*only {
		return Note{}, false
	}
	n := Note{Text: fmt.Sprintf("the root file system of the %s is read-only (securityContext.readOnlyRootFilesystem)", role),
		Proofs: []cause.Proof{{Object: mechanism.Ref(p), Field: "spec.containers[" + one.Name + "].securityContext.readOnlyRootFilesystem",
			Value: "true"}}}
	mounted := slices.ContainsFunc(one.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == "/tmp" })
	if !mounted && strings.Contains(c.Message, "/tmp") {
		n.Text += ", and no volume is mounted at /tmp"
		n.Next = []command.Command{command.Do("mount an emptyDir at /tmp: spec.volumes and %s.volumeMounts", role)}
	}
	return n, true
}
