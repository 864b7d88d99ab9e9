package releases

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	known "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// mutators are the functions of 2.x's pod webhook that carry a field to a pod.
func mutators() map[snapshot.Field]string {
	return map[snapshot.Field]string{
		snapshot.Env: "addEnvVars", snapshot.EnvFrom: "addEnvFrom", snapshot.VolumeMounts: "addVolumes",
		snapshot.RoleConfigMaps: "addGeneralConfigMaps", snapshot.SparkConfigMap: "addSparkConfigMap",
		snapshot.HadoopConfigMap: "addHadoopConfigMap",
		snapshot.Monitoring:      "addPrometheusConfig", snapshot.Tolerations: "addTolerations", snapshot.Affinity: "addAffinity",
		snapshot.NodeSelector: "addNodeSelectors", snapshot.PodSecurityContext: "addPodSecurityContext",
		snapshot.SecurityContext: "addContainerSecurityContext",
		snapshot.Sidecars:        "addSidecarContainers", snapshot.InitContainers: "addInitContainers", snapshot.HostNetwork: "addHostNetwork",
		snapshot.DNSConfig: "addDNSConfig", snapshot.HostAliases: "addHostAliases", snapshot.ShareProcessNamespace: "addShareProcessNamespace",
		snapshot.TerminationGracePeriod: "addTerminationGracePeriodSeconds", snapshot.Lifecycle: "addPodLifeCycleConfig",
		snapshot.Ports: "addContainerPorts",
		snapshot.GPU:   "addGPU", snapshot.SchedulerName: "addSchedulerName", snapshot.BatchScheduler: "addSchedulerName",
		snapshot.PriorityClassName: "addPriorityClassName",
		snapshot.MemoryLimit:       "addMemoryLimit",
	}
}

// mutated are the fields that the webhook of any release carries to pods.
func mutated() []snapshot.Field {
	var out []snapshot.Field
	for _, r := range known.All() {
		for _, m := range r.Mutates {
			out = append(out, m.Field)
		}
	}
	return out
}

func TestMutations(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		if r.legacy() {
			return // its functions have other names
		}
		for _, field := range mutated() {
			name, there := mutators()[field], false
			if field == snapshot.BatchPriorityClass {
				there = r.contains(t, podDefaulter, "BatchSchedulerOptions")
			} else {
				there = r.contains(t, podDefaulter, "\t\t"+name+",\n") // in the list that mutateSparkPod goes through
			}
			require.Equal(t, operator.Mutates(r.Version, field, true), there, "%s %s", field, name)
		}
		first := r.contains(t, podDefaulter, "\treturn 0\n}\n\nfunc hasContainer")
		require.Equal(t, operator.Mutates(r.Version, snapshot.Env, false), first, "the first container counts where none has the name")
	})
}

func TestFlaws(t *testing.T) {
	tells := map[snapshot.Field]sign{
		snapshot.Env:             {podDefaulter, "len(app.Spec.Executor.Env) == 0", mended},
		snapshot.SecurityContext: {podDefaulter, "app.Spec.Executor.SecurityContext == nil", mended},
		snapshot.Lifecycle:       {podDefaulter, "containerName = common.SparkExecutorContainerName", fault},
	}
	flaws := 0
	for _, r := range known.All() {
		flaws += len(r.Flaws)
	}
	require.Len(t, tells, flaws)
	each(t, func(t *testing.T, r release) {
		if r.legacy() {
			return
		}
		for field, s := range tells {
			_, flawed := operator.FlawOf(r.Version, field, "executor")
			require.Equal(t, flawed, r.contains(t, s.path, s.text) == bool(s.of), "%s", field)
		}
	})
}
