package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ModuleOneSided is a Python module that one role does not find, where PYTHONPATH is set for the other role only. One that neither has, or
// that both look for in the same places, looks alike. An executor takes PYTHONPATH of its own environment beside the paths that the driver
// sends (core/src/main/scala/org/apache/spark/api/python/PythonWorkerFactory.scala@v3.5.5).
type ModuleOneSided struct {
	Module string
	Lacks  cause.Role
}

// Mechanism names it.
func (ModuleOneSided) Mechanism() cause.ID { return "module-one-sided" }

const pythonPath = "PYTHONPATH"

// OneSided compares where the two roles look for the modules of Python, where one of them misses one.
func OneSided(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	module := known.Groups["module"]
	if !is || known.Signature.ID != "python-module-missing" || module == "" || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	lacks, pod := actingPod(v, about, &failed)
	other, otherPod := cause.ExecutorRole, (*corev1.Pod)(nil)
	if lacks == cause.ExecutorRole {
		other, otherPod = cause.DriverRole, v.Driver
	}
	for i := 0; i < len(v.Executors) && other == cause.ExecutorRole; i++ {
		otherPod = v.Executors[i]
	}
	if v.Application == nil && pod == nil || setsPath(v, lacks, pod) || !setsPath(v, other, otherPod) {
		return cause.Cause{}, false
	}
	out := cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: lacks, Subject: about.Subject, At: about.At, Trust: about.Trust,
		Detail: ModuleOneSided{Module: module, Lacks: lacks}}
	if otherPod != nil {
		out.Evidence = append(out.Evidence, cause.Proof{Object: Ref(otherPod), Field: "spec.containers[" + mainContainer(otherPod).Name + "].env",
			Value: pythonPath})
	}
	if pod != nil {
		out.Evidence = append(out.Evidence, cause.Proof{Object: Ref(pod), Field: "spec.containers[" + mainContainer(pod).Name + "].env",
			Value: "without " + pythonPath})
	}
	return out, true
}

// setsPath reports whether PYTHONPATH is set for a role, by its pod or by the spec. What is read from a ConfigMap or Secret as a whole may
// hold it.
func setsPath(v *View, role cause.Role, pod *corev1.Pod) bool {
	if c := mainContainer(pod); c != nil {
		return len(c.EnvFrom) > 0 || slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == pythonPath })
	}
	given := v.Spec.Role(string(role))
	_, byDriver := v.Spec.Conf["spark.kubernetes.driverEnv."+pythonPath]
	_, byExecutor := v.Spec.Conf["spark.executorEnv."+pythonPath]
	return slices.Contains(given.Env, pythonPath) || len(given.EnvFrom) > 0 || role == cause.DriverRole && byDriver ||
		role == cause.ExecutorRole && byExecutor
}
