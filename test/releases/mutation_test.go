package releases

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// mutators are the functions of 2.x's pod webhook that carry a field to a pod.
func mutators() map[snapshot.Field]string {
	return map[snapshot.Field]string{
		snapshot.Env: "addEnvVars", snapshot.EnvFrom: "addEnvFrom", snapshot.VolumeMounts: "addVolumes",
		snapshot.RoleConfigMaps: "addGeneralConfigMaps", snapshot.SparkConfigMap: "addSparkConfigMap", snapshot.HadoopConfigMap: "addHadoopConfigMap",
		snapshot.Monitoring: "addPrometheusConfig", snapshot.Tolerations: "addTolerations", snapshot.Affinity: "addAffinity",
		snapshot.NodeSelector: "addNodeSelectors", snapshot.PodSecurityContext: "addPodSecurityContext", snapshot.SecurityContext: "addContainerSecurityContext",
		snapshot.Sidecars: "addSidecarContainers", snapshot.InitContainers: "addInitContainers", snapshot.HostNetwork: "addHostNetwork",
		snapshot.DNSConfig: "addDNSConfig", snapshot.HostAliases: "addHostAliases", snapshot.ShareProcessNamespace: "addShareProcessNamespace",
		snapshot.TerminationGracePeriod: "addTerminationGracePeriodSeconds", snapshot.Lifecycle: "addPodLifeCycleConfig", snapshot.Ports: "addContainerPorts",
		snapshot.GPU: "addGPU", snapshot.SchedulerName: "addSchedulerName", snapshot.BatchScheduler: "addSchedulerName", snapshot.PriorityClassName: "addPriorityClassName",
		snapshot.MemoryLimit: "addMemoryLimit",
	}
}

func TestMutations(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		if r.legacy() {
			return // its functions have other names
		}
		for _, m := range operator.Mutations() {
			name, there := mutators()[m.Field], false
			if m.Field == snapshot.BatchPriorityClass {
				there = r.contains(t, podDefaulter, "BatchSchedulerOptions")
			} else {
				there = r.contains(t, podDefaulter, "\t\t"+name+",\n") // in the list that mutateSparkPod goes through
			}
			require.Equal(t, operator.Mutates(r.Version, m.Field, true), there, "%s %s", m.Field, name)
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
	require.Len(t, tells, len(operator.Flaws()))
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
