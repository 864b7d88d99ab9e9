package wire

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// brings returns what Spark puts on the pods of a role because of its configuration
// (spark.apache.org/docs/3.5.5/running-on-kubernetes.html#configuration).
func (c *wireConf) brings(role string) []snapshot.Feature {
	var list []snapshot.Feature
	for _, set := range c.onPods {
		if f, ok := broughtBy(set.Key, set.Value, role); ok {
			list = append(list, f)
		}
	}
	return list
}

// sets returns which of the fields the role sets to something.
func (r *wireRole) sets(fields ...snapshot.Field) []snapshot.Field {
	fields = slices.DeleteFunc(fields, func(field snapshot.Field) bool {
		return !slices.ContainsFunc(r.wants, func(f snapshot.Feature) bool { return f.Field == field })
	})
	return slices.Clip(fields)
}

// wants gathers what a role asks for, without what its pods have anyway: by a pod template, by settings that
// spark-submit knows, by Spark itself.
func (s *wireSpec) wants(r *wireRole, role string, app string) []snapshot.Feature {
	list := slices.Concat(r.wants, s.volumes(r), s.shared(role, app), s.scheduler(r))
	anyway, template := snapshot.FeaturesOf(s.bringsAnyway(r, role)), templateFeatures(r.template, role)
	list = slices.DeleteFunc(list, func(f snapshot.Feature) bool {
		return f.Name == "" && needsName(f.Field) || anyway.Has(f) || template.Has(f) || bySpark(f)
	})
	slices.SortFunc(list, func(a, b snapshot.Feature) int {
		return strings.Compare(string(a.Field)+"\x00"+a.Name, string(b.Field)+"\x00"+b.Name)
	})
	return slices.Clip(slices.Compact(list))
}

// scheduler is what places the pods of a role. The batch scheduler wins, even one whose name is empty; the controller makes its
// group of pods and marks the pods as members, and leaves their scheduler to the webhook (addSchedulerName in
// internal/webhook/sparkpod_defaulter.go@v2.5.2 and pkg/webhook/patch.go@spark-operator-chart-1.1.0;
// internal/scheduler/*/scheduler.go@v2.5.2). What the controller takes by default the webhook does not know.
func (s *wireSpec) scheduler(r *wireRole) []snapshot.Feature {
	field, name := snapshot.SchedulerName, r.schedulerName
	if s.BatchScheduler != nil {
		field, name = snapshot.BatchScheduler, *s.BatchScheduler
	}
	if name == "" || name == defaultScheduler {
		return nil
	}
	return []snapshot.Feature{{Field: field, Name: name}}
}

// batchScheduler is spec.batchScheduler, empty if there is none.
func (s *wireSpec) batchScheduler() string {
	if s.BatchScheduler == nil {
		return ""
	}
	return *s.BatchScheduler
}

// volumes are the mounts that have a volume; local directories are Spark's own (addVolumes, ibid.).
func (s *wireSpec) volumes(r *wireRole) []snapshot.Feature {
	var list []snapshot.Feature
	for _, m := range r.mounts {
		if !strings.HasPrefix(m.Name, "spark-local-dir-") && slices.ContainsFunc(s.Volumes, func(v wireSpecVolume) bool { return v.wireNamed == m }) {
			list = append(list, snapshot.Feature{Field: snapshot.VolumeMounts, Name: m.Name})
		}
	}
	return list
}

// shared are the fields of spec that concern both roles. Monitoring needs Prometheus, a role that it exposes, and
// something to configure that is not in the image already (addPrometheusConfig, ibid.).
func (s *wireSpec) shared(role, app string) []snapshot.Feature {
	list := []snapshot.Feature{
		{Field: snapshot.SparkConfigMap, Name: s.SparkConfigMap}, {Field: snapshot.HadoopConfigMap, Name: s.HadoopConfigMap},
		{Field: snapshot.BatchPriorityClass, Name: s.BatchSchedulerOptions.PriorityClassName},
	}
	m := &s.Monitoring
	exposed := role == "driver" && m.Driver || role == "executor" && m.Executor
	if m.Prometheus != nil && exposed && (m.MetricsPropertiesFile == "" || m.Prometheus.ConfigFile == "") {
		list = append(list, snapshot.Feature{Field: snapshot.Monitoring, Name: app + "-prom-conf"})
	}
	return list
}

// bringsAnyway is what spark-submit puts on the pods of a role.
func (s *wireSpec) bringsAnyway(r *wireRole, role string) []snapshot.Feature {
	list := slices.Concat(r.brings, s.SparkConf.Value.brings(role))
	for key, value := range s.NodeSelector {
		list = append(list, snapshot.Feature{Field: snapshot.NodeSelector, Name: key + "=" + value})
	}
	return list
}

// templateFeatures is what a pod template has; one that does not decode brings nothing.
func templateFeatures(raw []byte, role string) snapshot.Features {
	var template struct {
		Spec wirePodSpec `json:"spec"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &template, Options()) != nil {
		return ""
	}
	d := NewDecoder()
	features, err := d.podFeatures(&template.Spec, role)
	if err != nil {
		return ""
	}
	return features
}

func needsName(f snapshot.Field) bool {
	return f == snapshot.Env || f == snapshot.SparkConfigMap || f == snapshot.HadoopConfigMap || f == snapshot.BatchPriorityClass || f == snapshot.PriorityClassName
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

// webhookFields names the fields of which the application wants something, as paths below spec.
func webhookFields(a *snapshot.SparkApplication) []string {
	var out []string
	for _, role := range []string{"driver", "executor"} {
		for _, f := range a.Wants(role) {
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
	return slices.Clip(slices.Compact(out))
}

// javaMemory reads "512m" or "2g" as the webhook does (ConvertJavaMemoryStringToK8sMemoryString,
// pkg/util/util.go@v2.5.2), and what Kubernetes writes.
func javaMemory(text string) (string, bool) {
	number := strings.TrimRight(text, "bkmgtp")
	if unit := strings.TrimSuffix(text[len(number):], "b"); unit != "" {
		text = number + strings.ToUpper(unit[:1]) + "i"
	}
	q, err := resource.ParseQuantity(text)
	if err != nil || q.Value() <= 0 {
		return "", false
	}
	return strconv.FormatInt(q.Value(), 10), true
}
