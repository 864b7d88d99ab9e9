package wire

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// wireRole is spec.driver or spec.executor.
type wireRole struct {
	podName       string
	account       string
	instances     int
	counted       bool // instances are given
	schedulerName string
	mounts        []string
	set           []snapshot.Feature
	env           []string // that spark-submit sets
	template      jsontext.Value
}

// wireWebhookSpec are the fields of spec that only the webhook puts on pods, and those that they depend on.
type wireWebhookSpec struct {
	Volumes               []wireSpecVolume  `json:"volumes"`
	SparkConfigMap        string            `json:"sparkConfigMap"`
	HadoopConfigMap       string            `json:"hadoopConfigMap"`
	BatchScheduler        *string           `json:"batchScheduler"`
	NodeSelector          map[string]string `json:"nodeSelector"`
	BatchSchedulerOptions struct {
		Queue             string `json:"queue"`
		PriorityClassName string `json:"priorityClassName"`
	} `json:"batchSchedulerOptions"`
	Monitoring struct {
		Driver                bool   `json:"exposeDriverMetrics"`
		Executor              bool   `json:"exposeExecutorMetrics"`
		MetricsPropertiesFile string `json:"metricsPropertiesFile"`
		Prometheus            *struct {
			ConfigFile string `json:"configFile"`
		} `json:"prometheus"`
	} `json:"monitoring"`
}

type wireNamed struct {
	Name string `json:"name"`
}

type wireEnvFrom struct {
	ConfigMap wireNamed `json:"configMapRef"`
	Secret    wireNamed `json:"secretRef"`
}

type wireToleration struct {
	Key      string `json:"key"`
	Operator string `json:"operator"`
	Value    string `json:"value"`
	Effect   string `json:"effect"`
}

// UnmarshalJSONFrom keeps names of what the role sets.
func (r *wireRole) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return members(dec, func(name string) error {
		switch field := snapshot.Field(name); field {
		case "podName":
			return json.UnmarshalDecode(dec, &r.podName)
		case "serviceAccount":
			return json.UnmarshalDecode(dec, &r.account)
		case "instances":
			r.counted = dec.PeekKind() != 'n'
			return json.UnmarshalDecode(dec, &r.instances)
		case "template":
			raw, err := dec.ReadValue()
			r.template = raw.Clone()
			return err
		case "envVars", "envSecretKeyRefs":
			return members(dec, func(key string) error {
				r.env = append(r.env, key)
				return dec.SkipValue()
			})
		case snapshot.VolumeMounts:
			return eachOf(dec, func(v wireNamed) { r.mounts = append(r.mounts, v.Name) })
		case snapshot.SchedulerName:
			return json.UnmarshalDecode(dec, &r.schedulerName)
		default:
			return r.want(dec, field)
		}
	})
}

// want reads a field that is a list, a flag or an object.
func (r *wireRole) want(dec *jsontext.Decoder, field snapshot.Field) error {
	switch field {
	case snapshot.Env, snapshot.Sidecars, snapshot.InitContainers, snapshot.RoleConfigMaps:
		return eachOf(dec, func(v wireNamed) { r.add(field, v.Name) })
	case snapshot.EnvFrom:
		return eachOf(dec, func(v wireEnvFrom) {
			if v.ConfigMap.Name != "" {
				r.add(field, "ConfigMap "+v.ConfigMap.Name)
			}
			if v.Secret.Name != "" {
				r.add(field, "Secret "+v.Secret.Name)
			}
		})
	case snapshot.Tolerations:
		return eachOf(dec, func(v wireToleration) { r.add(field, tolerationName(v.Key, v.Operator, v.Value, v.Effect)) })
	case snapshot.HostAliases:
		return eachOf(dec, func(v struct {
			IP string `json:"ip"`
		}) {
			r.add(field, v.IP)
		})
	case snapshot.Ports:
		return eachOf(dec, func(v struct {
			Name          string `json:"name"`
			ContainerPort int32  `json:"containerPort"`
		}) {
			r.add(field, portName(v.Name, v.ContainerPort))
		})
	case snapshot.NodeSelector:
		return members(dec, func(key string) error {
			var value string
			err := json.UnmarshalDecode(dec, &value)
			r.add(field, key+"="+value)
			return err
		})
	case snapshot.Affinity, snapshot.PodSecurityContext, snapshot.SecurityContext, snapshot.DNSConfig, snapshot.Lifecycle,
		snapshot.HostNetwork, snapshot.ShareProcessNamespace:
		set, err := something(dec)
		if set {
			r.add(field, "")
		}
		return err
	default:
		return r.wantValue(dec, field)
	}
}

// wantValue reads a field that is one value.
func (r *wireRole) wantValue(dec *jsontext.Decoder, field snapshot.Field) error {
	switch field {
	case snapshot.PriorityClassName:
		var name string
		err := json.UnmarshalDecode(dec, &name)
		r.add(field, name)
		return err
	case snapshot.TerminationGracePeriod:
		var grace *int64
		err := json.UnmarshalDecode(dec, &grace)
		if grace != nil {
			r.add(field, strconv.FormatInt(*grace, 10))
		}
		return err
	case snapshot.MemoryLimit:
		var text string
		err := json.UnmarshalDecode(dec, &text)
		if text != "" {
			r.add(field, text)
		}
		return err
	case snapshot.GPU:
		var gpu struct {
			Name     string `json:"name"`
			Quantity int64  `json:"quantity"`
		}
		err := json.UnmarshalDecode(dec, &gpu)
		if gpu.Name != "" && gpu.Quantity > 0 {
			r.add(field, gpu.Name)
		}
		return err
	default:
		return dec.SkipValue()
	}
}

func (r *wireRole) add(field snapshot.Field, name string) {
	r.set = append(r.set, snapshot.Feature{Field: field, Name: name})
}

// sets reports whether the role sets a field to something.
func (r *wireRole) sets(field snapshot.Field) bool {
	return slices.ContainsFunc(r.set, func(f snapshot.Feature) bool { return f.Field == field })
}

func eachOf[T any](dec *jsontext.Decoder, fn func(T)) error {
	var list []T
	err := json.UnmarshalDecode(dec, &list)
	for _, v := range list {
		fn(v)
	}
	return err
}

// something reads a value and reports whether it is more than null, false, zero or empty.
func something(dec *jsontext.Decoder) (bool, error) {
	value, err := dec.ReadValue()
	if kind := value.Kind(); kind == '{' || kind == '[' {
		return len(bytes.TrimSpace(value[1:len(value)-1])) > 0, err
	}
	return !slices.Contains([]string{"null", "false", "0", `""`}, string(value)), err
}
