package operator

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Mutation is one field that the pod webhook carries from an application to its pods.
type Mutation struct {
	Field       snapshot.Field
	Since       Version // first release that does it; zero: every one
	Until       Version // first release that does not do it any more; zero: none
	OnContainer bool    // it changes the Spark container, so that one must be found
	Source      string
}

// The two places that mutate: 1.x and 2.x.
const (
	legacyMutator = "pkg/webhook/patch.go@spark-operator-chart-1.4.6"
	mutator       = "internal/webhook/sparkpod_defaulter.go@v2.5.2"
)

// Mutations lists what the releases' webhooks do, read in the mutators of spark-operator-chart-1.1.0 to v2.5.2. The
// owner reference of drivers is left out: from 2.4.0 on it does not need the webhook (#2670).
func Mutations() []Mutation {
	list := mutations()
	return list[:]
}

// PriorityClassMoved is the first release whose webhook puts spec.driver.priorityClassName and spec.executor.priorityClassName
// on pods, fields that it brings, and no longer batchSchedulerOptions.priorityClassName; both lines give that one to the group
// of Volcano, if Volcano is asked for (addPriorityClassName in pkg/webhook/patch.go@v1beta2-1.6.2-3.5.0, whatever batchScheduler
// says, and in internal/webhook/sparkpod_defaulter.go@v2.0.0; #2146).
func PriorityClassMoved() Version { return Version{2, 0, 0} }

// mutations and flaws are asked of every pod of a fleet: arrays need no memory of their own.
func mutations() [27]Mutation {
	const both = legacyMutator + ", " + mutator
	return [...]Mutation{
		{Field: snapshot.Env, OnContainer: true, Source: both},
		{Field: snapshot.EnvFrom, OnContainer: true, Source: both},
		{Field: snapshot.VolumeMounts, OnContainer: true, Source: both},
		{Field: snapshot.RoleConfigMaps, OnContainer: true, Source: both},
		{Field: snapshot.SparkConfigMap, OnContainer: true, Source: both},
		{Field: snapshot.HadoopConfigMap, OnContainer: true, Source: both},
		{Field: snapshot.Monitoring, OnContainer: true, Source: both},
		{Field: snapshot.Tolerations, Source: both},
		{Field: snapshot.Affinity, Source: both},
		{Field: snapshot.NodeSelector, Source: both},
		{Field: snapshot.PodSecurityContext, Source: both},
		{Field: snapshot.SecurityContext, OnContainer: true, Source: both},
		{Field: snapshot.Sidecars, Source: both},
		{Field: snapshot.InitContainers, Source: both},
		{Field: snapshot.HostNetwork, Source: both},
		{Field: snapshot.DNSConfig, Source: both},
		{Field: snapshot.HostAliases, Source: both},
		{Field: snapshot.ShareProcessNamespace, Since: Version{1, 3, 0}, Source: "pkg/webhook/patch.go@spark-operator-chart-1.1.15, " + mutator},
		{Field: snapshot.TerminationGracePeriod, Source: both},
		{Field: snapshot.Lifecycle, OnContainer: true, Source: both},
		{Field: snapshot.Ports, OnContainer: true, Source: both},
		{Field: snapshot.GPU, OnContainer: true, Source: both},
		{Field: snapshot.SchedulerName, Source: both},
		{Field: snapshot.BatchScheduler, Source: both},
		{Field: snapshot.BatchPriorityClass, Until: PriorityClassMoved(), Source: legacyMutator},
		{Field: snapshot.PriorityClassName, Since: PriorityClassMoved(), Source: "#2146, " + mutator},
		{Field: snapshot.MemoryLimit, Since: Version{2, 2, 0}, OnContainer: true, Source: "internal/webhook/sparkpod_defaulter.go@v2.2.0"},
	}
}

// Flaw is what a range of releases gets wrong about the pods of a role.
type Flaw struct {
	Field         snapshot.Field
	Role          string
	Since, Until  Version // first release with it, first release without it
	NeedsDriver   bool    // the executor's field is applied only if the driver's is set, too
	OnlyContainer string  // only to a Spark container of this name
	Source        string
}

// Flaws lists the known ones.
func Flaws() []Flaw {
	list := flaws()
	return list[:]
}

func flaws() [3]Flaw {
	return [...]Flaw{
		{Field: snapshot.Env, Role: "executor", Since: Version{2, 0, 0}, Until: Version{2, 3, 0}, NeedsDriver: true, Source: "#2586, internal/webhook/sparkpod_defaulter.go@v2.2.1"},
		{Field: snapshot.SecurityContext, Role: "executor", Since: Version{2, 0, 0}, Until: Version{2, 1, 0}, NeedsDriver: true, Source: "internal/webhook/sparkpod_defaulter.go@v2.0.2"},
		{Field: snapshot.Lifecycle, Role: "executor", Until: Version{2, 1, 1}, OnlyContainer: "executor", Source: legacyMutator + ", internal/webhook/sparkpod_defaulter.go@v2.1.0"},
	}
}

// FlawOf returns what a release gets wrong about a field of a role.
func FlawOf(v Version, field snapshot.Field, role string) (Flaw, bool) {
	list := flaws()
	i := slices.IndexFunc(list[:], func(f Flaw) bool {
		return f.Field == field && f.Role == role && v.Compare(f.Since) >= 0 && v.Compare(f.Until) < 0
	})
	if i < 0 {
		return Flaw{}, false
	}
	return list[i], true
}

// MutatorVersions are the releases from which on the webhook treats a pod differently from the one before: all others do as one
// of these.
func MutatorVersions() []Version {
	out := []Version{{1, 0, 0}, containerByPlace()}
	for _, m := range mutations() {
		out = append(out, m.Since, m.Until)
	}
	for _, f := range flaws() {
		out = append(out, f.Since, f.Until)
	}
	slices.SortFunc(out, Version.Compare)
	return slices.DeleteFunc(slices.Compact(out), Version.IsZero)
}

// containerByPlace is the release since which the first container counts where none has the name of Spark's (findContainer,
// internal/webhook/sparkpod_defaulter.go@v2.1.1).
func containerByPlace() Version { return Version{2, 1, 1} }

// Mutates reports whether the webhook of a release carries a field to a pod whose Spark container was found by name or
// not.
func Mutates(v Version, field snapshot.Field, named bool) bool {
	list := mutations()
	i := slices.IndexFunc(list[:], func(m Mutation) bool { return m.Field == field })
	if i < 0 || v.Compare(list[i].Since) < 0 {
		return false
	}
	m := list[i]
	return (m.Until.IsZero() || v.Compare(m.Until) < 0) && (named || !m.OnContainer || v.Compare(containerByPlace()) >= 0)
}
