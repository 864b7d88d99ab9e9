package spark

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// What an application asks for that only some releases of the operator get wrong. Most ask for none of it.
const (
	FieldPullPolicy     = "imagePullPolicy"
	FieldPullSecrets    = "imagePullSecrets"
	FieldPackages       = "deps.packages"
	FieldMemoryLocalDir = "volumes[].emptyDir.medium"    // of a mounted volume that Spark uses as a local directory
	FieldOpenLocalDir   = "volumes[].emptyDir.sizeLimit" // which is not set, of such a volume
	FieldGangOfUnknown  = "batchScheduler"               // with dynamic allocation and without executor.instances
)

const localDirVolumeName = "spark-local-dir-" // pkg/common/spark.go@v2.5.2

// Uses reports whether an application asks for something of the list above.
func Uses(a *snapshot.SparkApplication, ask string) bool {
	switch ask {
	case FieldPullPolicy:
		return a.PullPolicy
	case FieldPullSecrets:
		return a.PullSecrets
	case FieldPackages:
		return a.Packages
	case FieldMemoryLocalDir:
		return mountsLocalDir(a, func(v snapshot.SpecVolume) bool { return v.Medium })
	case FieldOpenLocalDir:
		return mountsLocalDir(a, func(v snapshot.SpecVolume) bool { return !v.Sized })
	case FieldGangOfUnknown:
		batch := BatchScheduler(a)
		return batch != "" && batch != "yunikorn" && a.DynamicAllocation && !roleOf(a, "executor").Counted
	default:
		return false
	}
}

// mountsLocalDir reports whether a role mounts an emptyDir of a kind that Spark uses as a local directory.
func mountsLocalDir(a *snapshot.SparkApplication, of func(snapshot.SpecVolume) bool) bool {
	return slices.ContainsFunc(a.Volumes, func(v snapshot.SpecVolume) bool {
		mounted := slices.Contains(roleOf(a, "driver").Mounts, v.Name) || slices.Contains(roleOf(a, "executor").Mounts, v.Name)
		return v.EmptyDir && strings.HasPrefix(v.Name, localDirVolumeName) && mounted && of(v)
	})
}

// HasTemplate reports whether a role has a pod template in the application itself.
func HasTemplate(a *snapshot.SparkApplication, role string) bool {
	return roleOf(a, role).Template != nil
}

// BatchScheduler is spec.batchScheduler, empty if there is none.
func BatchScheduler(a *snapshot.SparkApplication) string {
	if a.BatchScheduler == nil {
		return ""
	}
	return *a.BatchScheduler
}

// roleOf returns what an application says of a role.
func roleOf(a *snapshot.SparkApplication, role string) snapshot.RoleSpec {
	spec := a.Spec.Driver
	if role == "executor" {
		spec = a.Spec.Executor
	}
	if spec == nil {
		return snapshot.RoleSpec{}
	}
	return *spec
}

// PriorityClass returns batchSchedulerOptions.priorityClassName where it decides: unless driver and executor have one each of their own.
func PriorityClass(c *snapshot.ReleaseDependentFields) string {
	if c.DriverPriority && c.ExecutorPriority {
		return ""
	}
	return c.BatchPriorityClass
}
