package snapshot

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// wireRole is spec.driver or spec.executor.
type wireRole struct {
	podName       string
	instances     int
	webhookFields []string // set to something, of those that only the webhook puts on pods
	schedulerName bool
	mounts        []wireNamed
}

type wireNamed struct {
	Name string `json:"name"`
}

// UnmarshalJSONFrom keeps which fields are set that spark-submit does not know, so that a pod has them by the webhook or
// not at all: patchSparkPod (pkg/webhook/patch.go@v1beta2-1.6.2-3.5.0), mutateSparkPod
// (internal/webhook/sparkpod_defaulter.go@v2.5.2). Values that change no pod do not count.
func (r *wireRole) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return members(dec, func(name string) error {
		set, err := false, error(nil)
		switch name {
		case "podName":
			return json.UnmarshalDecode(dec, &r.podName)
		case "instances":
			return json.UnmarshalDecode(dec, &r.instances)
		case "volumeMounts":
			return json.UnmarshalDecode(dec, &r.mounts)
		case "schedulerName":
			r.schedulerName, err = something(dec)
			return err
		case "gpu":
			var gpu struct {
				Name     string `json:"name"`
				Quantity int64  `json:"quantity"`
			}
			err = json.UnmarshalDecode(dec, &gpu)
			set = gpu.Name != "" && gpu.Quantity > 0
		case "terminationGracePeriodSeconds":
			var seconds *int64
			err = json.UnmarshalDecode(dec, &seconds)
			set = seconds != nil && *seconds != 30 // the API server's own default
		case "env", "envFrom", "configMaps", "affinity", "tolerations", "nodeSelector", "securityContext",
			"podSecurityContext", "sidecars", "initContainers", "hostNetwork", "dnsConfig", "hostAliases",
			"shareProcessNamespace", "lifecycle", "ports", "priorityClassName", "memoryLimit":
			set, err = something(dec)
		default:
			return dec.SkipValue()
		}
		if set {
			r.webhookFields = append(r.webhookFields, name)
		}
		return err
	})
}

// something reads a value and reports whether it is more than null, false, zero or empty.
func something(dec *jsontext.Decoder) (bool, error) {
	value, err := dec.ReadValue()
	return !slices.Contains([]string{"null", "false", "0", `""`, "{}", "[]"}, string(value)), err
}

// present is whether a field is set to something.
type present bool

// UnmarshalJSONFrom passes over the value itself.
func (p *present) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	set, err := something(dec)
	*p = present(set)
	return err
}

// wireWebhookSpec are the fields of spec that only the webhook puts on pods, and those that they depend on.
type wireWebhookSpec struct {
	Volumes         []wireNamed `json:"volumes"`
	SparkConfigMap  present     `json:"sparkConfigMap"`
	HadoopConfigMap present     `json:"hadoopConfigMap"`
	BatchScheduler  present     `json:"batchScheduler"`
	Monitoring      struct {
		Driver     bool    `json:"exposeDriverMetrics"`
		Executor   bool    `json:"exposeExecutorMetrics"`
		Prometheus present `json:"prometheus"`
	} `json:"monitoring"`
}

// webhookFields names the fields, as paths below spec.
func (s *wireSpec) webhookFields() []string {
	var out []string
	for role, r := range map[string]*wireRole{"driver": &s.Driver, "executor": &s.Executor} {
		for _, name := range r.webhookFields {
			out = append(out, role+"."+name)
		}
		// A batch scheduler wins over schedulerName (addSchedulerName, internal/webhook/sparkpod_defaulter.go@v2.5.2).
		if r.schedulerName && !bool(s.BatchScheduler) {
			out = append(out, role+".schedulerName")
		}
		if slices.ContainsFunc(r.mounts, s.mountable) {
			out = append(out, role+".volumeMounts")
		}
	}
	if s.SparkConfigMap {
		out = append(out, "sparkConfigMap")
	}
	if s.HadoopConfigMap {
		out = append(out, "hadoopConfigMap")
	}
	if bool(s.Monitoring.Prometheus) && (s.Monitoring.Driver || s.Monitoring.Executor) {
		out = append(out, "monitoring")
	}
	slices.Sort(out)
	return out
}

// mountable reports whether the webhook mounts something: a mount needs a volume, and local directories are Spark's own.
func (s *wireSpec) mountable(m wireNamed) bool {
	return !strings.HasPrefix(m.Name, "spark-local-dir-") && slices.Contains(s.Volumes, m)
}
