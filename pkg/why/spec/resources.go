package spec

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Throttled is a CPU limit below the number of tasks that run at once.
type Throttled struct {
	Role         cause.Role
	Cores        string
	Limit, Field string // and where it is set
}

// Mechanism names it.
func (Throttled) Mechanism() cause.ID { return "throttled" }

// throttled is about a CPU limit below the number of tasks that run at once (spark.executor.cores: the limit does not change it,
// docs/running-on-kubernetes.md@v3.5.5, spark.kubernetes.executor.limit.cores). It makes what is slow or runs into timeouts slower.
func throttled(v *mechanism.View, c *cause.Cause, role cause.Role) (Note, bool) {
	if c.Class != cause.SlowButProgressing && !c.Topics.Has(cause.TimesOut) {
		return Note{}, false
	}
	of, settings := v.Spec.Role(string(role)), v.Spec.Settings()
	cores := settings["spark."+string(role)+".cores"]
	if of.Cores != 0 {
		cores = strconv.Itoa(of.Cores)
	}
	limit, where := of.CoreLimit, string(role)+".coreLimit"
	if limit == "" {
		key := "spark.kubernetes." + string(role) + ".limit.cores"
		limit, where = settings[key], "sparkConf["+key+"]"
	}
	want, err := resource.ParseQuantity(cores)
	if err != nil || limit == "" {
		return Note{}, false
	}
	most, err := resource.ParseQuantity(limit)
	if err != nil || most.Cmp(want) >= 0 {
		return Note{}, false
	}
	return Note{Detail: Throttled{Role: role, Cores: cores, Limit: limit, Field: where},
		Proofs: []cause.Proof{proof(v, where, limit), proof(v, string(role)+".cores", cores)}}, true
}

// SharedByPython are Python workers without a limit of their own.
type SharedByPython struct{}

// Mechanism names it.
func (SharedByPython) Mechanism() cause.ID { return "shared-by-python" }

// sharedByPython is about executors of a Python application that exceeded their limit while nothing limits Python
// (spark.executor.pyspark.memory, docs/configuration.md@v3.5.5: then it shares the overhead with all that is no heap).
func sharedByPython(v *mechanism.View, c *cause.Cause, role cause.Role) (Note, bool) {
	limited := v.Spec.Conf["spark.executor.pyspark.memory"] != ""
	if role != cause.ExecutorRole || v.Spec.Type != "Python" || !c.Topics.Has(cause.OOMKilled) || limited {
		return Note{}, false
	}
	return Note{Detail: SharedByPython{}}, true
}

// ReadOnlyRoot is a container whose own file system cannot be written.
type ReadOnlyRoot struct {
	Role  cause.Role
	NoTmp bool // what failed is below /tmp, where no volume is mounted
}

// Mechanism names it.
func (ReadOnlyRoot) Mechanism() cause.ID { return "read-only-root" }

// readOnlyRoot is about a directory that cannot be written because the container's own file system is read-only: the pod says so, and the
// error often does not.
func readOnlyRoot(v *mechanism.View, c *cause.Cause, role cause.Role) (Note, bool) {
	if !c.Topics.Has(cause.Unwritable) {
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
	mounted := slices.ContainsFunc(one.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == "/tmp" })
	return Note{Detail: ReadOnlyRoot{Role: role, NoTmp: !mounted && c.Topics.Has(cause.InTmp)},
		Proofs: []cause.Proof{{Object: mechanism.Ref(p), Field: "spec.containers[" + one.Name + "].securityContext.readOnlyRootFilesystem",
			Value: "true"}}}, true
}
