package spark

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// WebhookNeeds returns what an application asks of the webhook for its pods of a role: only what nothing else brings, and
// only values that change a pod. What its pods have anyway is left out: by a pod template, by settings that spark-submit
// knows, by Spark itself.
func WebhookNeeds(a *snapshot.SparkApplication, role string) []snapshot.Feature {
	if role != "driver" && role != "executor" {
		return nil
	}
	r := roleOf(a, role)
	list := slices.Concat(changes(r.Sets), volumes(a, &r), ofBothRoles(a, role), scheduler(a, &r))
	if len(list) == 0 {
		return nil
	}
	anyway, template := snapshot.FeaturesOf(bringsAnyway(a, &r, role)), cmp.Or(r.Template, &snapshot.PodTemplate{}).Features
	list = slices.DeleteFunc(list, func(f snapshot.Feature) bool {
		nameless := f.Name == "" && needsName(f.Field)
		return nameless || anyway.Has(f) || template.Has(f) || bySpark(f)
	})
	slices.SortFunc(list, func(a, b snapshot.Feature) int {
		return cmp.Or(strings.Compare(string(a.Field), string(b.Field)), strings.Compare(a.Name, b.Name))
	})
	return slices.Compact(list)
}

// DriverSets reports whether spec.driver has an env or a securityContext at all, be it only what Spark sets itself.
func DriverSets(a *snapshot.SparkApplication, field snapshot.Field) bool {
	return slices.ContainsFunc(roleOf(a, "driver").Sets, func(f snapshot.Feature) bool { return f.Field == field })
}

// defaultGrace is what the API server sets where a pod says nothing (pkg/apis/core/v1/defaults.go of Kubernetes).
const defaultGrace = "30"

const defaultScheduler = "default-scheduler"

// changes returns the features with the values that pods get, without those that change nothing.
func changes(list []snapshot.Feature) []snapshot.Feature {
	out := make([]snapshot.Feature, 0, len(list))
	for _, f := range list {
		keep := true
		switch f.Field {
		case snapshot.TerminationGracePeriod:
			keep = f.Name != defaultGrace
		case snapshot.MemoryLimit:
			f.Name, keep = javaMemory(f.Name)
		}
		if keep {
			out = append(out, f)
		}
	}
	return out
}

// scheduler is what places the pods of a role. The batch scheduler wins, even one whose name is empty; the controller makes its
// group of pods and marks the pods as members, and leaves their scheduler to the webhook (addSchedulerName in
// internal/webhook/sparkpod_defaulter.go@v2.5.2 and pkg/webhook/patch.go@spark-operator-chart-1.1.0;
// internal/scheduler/*/scheduler.go@v2.5.2). What the controller takes by default the webhook does not know.
func scheduler(a *snapshot.SparkApplication, r *snapshot.RoleSpec) []snapshot.Feature {
	field, name := snapshot.SchedulerName, r.SchedulerName
	if a.BatchScheduler != nil {
		field, name = snapshot.BatchScheduler, *a.BatchScheduler
	}
	if name == "" || name == defaultScheduler {
		return nil
	}
	return []snapshot.Feature{{Field: field, Name: name}}
}

// volumes are the mounts that have a volume; local directories are Spark's own (addVolumes, ibid.).
func volumes(a *snapshot.SparkApplication, r *snapshot.RoleSpec) []snapshot.Feature {
	var list []snapshot.Feature
	for _, m := range r.Mounts {
		if !strings.HasPrefix(m, localDirVolumeName) && slices.ContainsFunc(a.Volumes, func(v snapshot.SpecVolume) bool { return v.Name == m }) {
			list = append(list, snapshot.Feature{Field: snapshot.VolumeMounts, Name: m})
		}
	}
	return list
}

// ofBothRoles are the fields of spec that concern both roles. Monitoring needs Prometheus, a role that it exposes, and
// something to configure that is not in the image already (addPrometheusConfig, ibid.).
func ofBothRoles(a *snapshot.SparkApplication, role string) []snapshot.Feature {
	var list []snapshot.Feature
	for _, f := range []snapshot.Feature{
		{Field: snapshot.SparkConfigMap, Name: a.SparkConfigMap}, {Field: snapshot.HadoopConfigMap, Name: a.HadoopConfigMap},
		{Field: snapshot.BatchPriorityClass, Name: a.BatchPriorityClass},
	} {
		if f.Name != "" {
			list = append(list, f)
		}
	}
	m := &a.Monitoring
	exposed := m.Driver
	if role == "executor" {
		exposed = m.Executor
	}
	ownConfig := m.Properties && m.Config
	if m.Prometheus && exposed && !ownConfig {
		list = append(list, snapshot.Feature{Field: snapshot.Monitoring, Name: a.Name + "-prom-conf"})
	}
	return list
}

// bringsAnyway is what spark-submit puts on the pods of a role.
func bringsAnyway(a *snapshot.SparkApplication, r *snapshot.RoleSpec, role string) []snapshot.Feature {
	list := bringsByConf(a, role)
	for _, name := range r.Env {
		list = append(list, snapshot.Feature{Field: snapshot.Env, Name: name})
	}
	for _, pair := range a.NodeSelector {
		list = append(list, snapshot.Feature{Field: snapshot.NodeSelector, Name: pair})
	}
	return list
}

func needsName(f snapshot.Field) bool {
	return f == snapshot.Env || f == snapshot.SparkConfigMap || f == snapshot.HadoopConfigMap ||
		f == snapshot.BatchPriorityClass || f == snapshot.PriorityClassName
}

// bySpark reports whether Spark or Kubernetes itself puts something of that name on pods.
func bySpark(f snapshot.Feature) bool {
	switch f.Field {
	case snapshot.Env:
		return strings.HasPrefix(f.Name, "SPARK_") || strings.HasPrefix(f.Name, "PYSPARK_")
	case snapshot.Tolerations: // DefaultTolerationSeconds
		return strings.HasPrefix(f.Name, "node.kubernetes.io/")
	default:
		return false
	}
}

// WebhookFields returns the paths below spec of what only the webhook puts on pods, such as "driver.env".
func WebhookFields(a *snapshot.SparkApplication) []string {
	var out []string
	for _, role := range []string{"driver", "executor"} {
		for _, f := range WebhookNeeds(a, role) {
			switch {
			case f.Field == snapshot.BatchPriorityClass: // 1.x only
			case f.Field.OfSpec():
				out = append(out, string(f.Field))
			default:
				out = append(out, role+"."+string(f.Field))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
