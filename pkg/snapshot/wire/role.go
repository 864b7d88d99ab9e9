package wire

import (
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// wireRole is spec.driver or spec.executor.
type wireRole struct {
	PodName          string             `json:"podName"`
	Account          string             `json:"serviceAccount"`
	Instances        present[int]       `json:"instances"`
	Template         jsontext.Value     `json:"template"`
	EnvVars          map[string]ignored `json:"envVars"` // which spark-submit sets, as the next
	EnvSecretKeyRefs map[string]ignored `json:"envSecretKeyRefs"`
	VolumeMounts     []wireNamed        `json:"volumeMounts"`
	SchedulerName    string             `json:"schedulerName"`
	wireRoleFeatures
}

// wireRoleFeatures are the fields that only the webhook puts on pods. Of some it matters only whether they are set.
type wireRoleFeatures struct {
	Affinity   filled        `json:"affinity"`
	ConfigMaps []wireNamed   `json:"configMaps"`
	DNSConfig  filled        `json:"dnsConfig"`
	Env        []wireNamed   `json:"env"`
	EnvFrom    []wireEnvFrom `json:"envFrom"`
	GPU        struct {
		Name     string `json:"name"`
		Quantity int64  `json:"quantity"`
	} `json:"gpu"`
	HostAliases []struct {
		IP string `json:"ip"`
	} `json:"hostAliases"`
	HostNetwork        filled            `json:"hostNetwork"`
	InitContainers     []wireNamed       `json:"initContainers"`
	Lifecycle          filled            `json:"lifecycle"`
	MemoryLimit        string            `json:"memoryLimit"`
	NodeSelector       map[string]string `json:"nodeSelector"`
	PodSecurityContext filled            `json:"podSecurityContext"`
	Ports              []struct {
		Name          string `json:"name"`
		ContainerPort int32  `json:"containerPort"`
	} `json:"ports"`
	PriorityClassName      *string          `json:"priorityClassName"`
	SecurityContext        filled           `json:"securityContext"`
	ShareProcessNamespace  filled           `json:"shareProcessNamespace"`
	Sidecars               []wireNamed      `json:"sidecars"`
	TerminationGracePeriod *int64           `json:"terminationGracePeriodSeconds"`
	Tolerations            []wireToleration `json:"tolerations"`
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

// UnmarshalJSONFrom says of a role that is no object what it is.
func (r *wireRole) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if kind := dec.PeekKind(); kind != '{' && kind != 'n' {
		return rawMembers(dec, nil)
	}
	type fields wireRole
	return json.UnmarshalDecode(dec, (*fields)(r))
}

// env returns the names of variables that spark-submit sets.
func (r *wireRole) env() []string {
	return slices.AppendSeq(slices.Sorted(maps.Keys(r.EnvSecretKeyRefs)), slices.Values(slices.Sorted(maps.Keys(r.EnvVars))))
}

// sets returns what is set, by the names of the fields.
func (r *wireRoleFeatures) sets() []snapshot.Feature {
	var l featureList
	l.flag(snapshot.Affinity, r.Affinity)
	l.names(snapshot.RoleConfigMaps, r.ConfigMaps)
	l.flag(snapshot.DNSConfig, r.DNSConfig)
	l.names(snapshot.Env, r.Env)
	for _, v := range r.EnvFrom {
		l.text(snapshot.EnvFrom, "ConfigMap ", v.ConfigMap.Name)
		l.text(snapshot.EnvFrom, "Secret ", v.Secret.Name)
	}
	if r.GPU.Quantity > 0 {
		l.text(snapshot.GPU, "", r.GPU.Name)
	}
	for _, v := range r.HostAliases {
		l.add(snapshot.HostAliases, v.IP)
	}
	l.flag(snapshot.HostNetwork, r.HostNetwork)
	l.names(snapshot.InitContainers, r.InitContainers)
	l.flag(snapshot.Lifecycle, r.Lifecycle)
	l.text(snapshot.MemoryLimit, "", r.MemoryLimit)
	for _, key := range slices.Sorted(maps.Keys(r.NodeSelector)) {
		l.add(snapshot.NodeSelector, key+"="+r.NodeSelector[key])
	}
	l.flag(snapshot.PodSecurityContext, r.PodSecurityContext)
	for _, v := range r.Ports {
		l.add(snapshot.Ports, portName(v.Name, v.ContainerPort))
	}
	if r.PriorityClassName != nil {
		l.add(snapshot.PriorityClassName, *r.PriorityClassName)
	}
	l.flag(snapshot.SecurityContext, r.SecurityContext)
	l.flag(snapshot.ShareProcessNamespace, r.ShareProcessNamespace)
	l.names(snapshot.Sidecars, r.Sidecars)
	if r.TerminationGracePeriod != nil {
		l.add(snapshot.TerminationGracePeriod, strconv.FormatInt(*r.TerminationGracePeriod, 10))
	}
	for _, v := range r.Tolerations {
		l.add(snapshot.Tolerations, tolerationName(v.Key, v.Operator, v.Value, v.Effect))
	}
	return l
}

type featureList []snapshot.Feature

func (l *featureList) add(field snapshot.Field, name string) {
	*l = append(*l, snapshot.Feature{Field: field, Name: name})
}

func (l *featureList) text(field snapshot.Field, prefix, name string) {
	if name != "" {
		l.add(field, prefix+name)
	}
}

func (l *featureList) flag(field snapshot.Field, set filled) {
	if set {
		l.add(field, "")
	}
}

func (l *featureList) names(field snapshot.Field, list []wireNamed) {
	for _, v := range list {
		l.add(field, v.Name)
	}
}
