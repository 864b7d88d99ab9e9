package wire

import (
	"cmp"
	"encoding/binary"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// wireDriverSpec are fields of spec that say what the driver asks of the API server.
type wireDriverSpec struct {
	SparkVersion    string    `json:"sparkVersion"`
	DriverIngresses []ignored `json:"driverIngressOptions"`
}

// wireReleaseFields are fields of spec that only some releases of the operator get right.
type wireReleaseFields struct {
	PullPolicy  string    `json:"imagePullPolicy"`
	PullSecrets []ignored `json:"imagePullSecrets"`
	Arguments   []ignored `json:"arguments"` // text where a CRD without a schema let it pass (kubeflow/spark-operator#402)
	Deps        struct {
		Packages []ignored `json:"packages"`
	} `json:"deps"`
}

// wireSpecVolume is one of spec.volumes.
type wireSpecVolume struct {
	wireNamed
	EmptyDir *struct {
		Medium    string   `json:"medium"`
		SizeLimit *ignored `json:"sizeLimit"`
	} `json:"emptyDir"`
}

// applicationSpec returns what is kept of a specification.
func (d *Decoder) applicationSpec(s *wireSpec) snapshot.Spec {
	m := &s.Monitoring
	out := snapshot.Spec{
		SparkVersion: intern(&d.sharer, s.SparkVersion),
		ReleaseDependentFields: snapshot.ReleaseDependentFields{
			Settings: slices.Clip(s.SparkConf.Value.settings), BatchPriorityClass: intern(&d.sharer, s.BatchSchedulerOptions.PriorityClassName),
			DriverPriority: s.Driver.PriorityClassName != nil, ExecutorPriority: s.Executor.PriorityClassName != nil,
			NoMainFile: s.MainFile == nil,
		},
		Driver: d.roleSpec(&s.Driver, "driver"), Executor: d.roleSpec(&s.Executor, "executor"),
		BatchScheduler: s.BatchScheduler, BatchQueue: intern(&d.sharer, s.BatchSchedulerOptions.Queue),
		SparkConfigMap: s.SparkConfigMap, HadoopConfigMap: s.HadoopConfigMap,
		Monitoring: snapshot.MetricsSpec{
			Driver: m.Driver, Executor: m.Executor, Properties: m.MetricsPropertiesFile != "",
			Prometheus: m.Prometheus != nil, Config: m.Prometheus != nil && m.Prometheus.ConfigFile != "",
		},
		PullPolicy: s.PullPolicy != "", PullSecrets: len(s.PullSecrets) > 0, Packages: len(s.Deps.Packages) > 0,
		Ingresses: len(s.DriverIngresses) > 0,
	}
	for i := range out.Settings {
		out.Settings[i].Key, out.Settings[i].Value = intern(&d.sharer, out.Settings[i].Key), intern(&d.sharer, out.Settings[i].Value)
	}
	for _, v := range s.Volumes {
		out.Volumes = append(out.Volumes, snapshot.SpecVolume{
			Name: intern(&d.sharer, v.Name), EmptyDir: v.EmptyDir != nil,
			Medium: v.EmptyDir != nil && v.EmptyDir.Medium != "", Sized: v.EmptyDir != nil && v.EmptyDir.SizeLimit != nil,
		})
	}
	for key, value := range s.NodeSelector {
		out.NodeSelector = append(out.NodeSelector, intern(&d.sharer, key+"="+value))
	}
	slices.Sort(out.NodeSelector)
	return out
}

// roleSpec returns what is kept of a role, the same for roles that say the same.
func (d *Decoder) roleSpec(r *wireRole, role string) *snapshot.RoleSpec {
	spec := snapshot.RoleSpec{
		Account: r.Account, Counted: r.Instances.Set, SchedulerName: r.SchedulerName, Sets: r.sets(), Env: r.env(),
	}
	for _, v := range r.VolumeMounts {
		spec.Mounts = append(spec.Mounts, v.Name)
	}
	if len(r.Template) > 0 {
		spec.Template = d.podTemplate(r.Template, role)
	}
	if reflect.ValueOf(spec).IsZero() {
		return nil
	}
	key := appendRole(d.key[:0], &spec)
	d.key = key
	kept, _ := shared(d.roles, maxSets, key, func() (*snapshot.RoleSpec, error) { return &spec, nil })
	return kept
}

// podTemplate returns what a pod template has; one that does not decode has nothing.
func (d *Decoder) podTemplate(raw []byte, role string) *snapshot.PodTemplate {
	var out snapshot.PodTemplate
	var account struct {
		Spec struct {
			Name string `json:"serviceAccountName"`
		} `json:"spec"`
	}
	if json.Unmarshal(raw, &account, Options()) == nil {
		out.Account = account.Spec.Name
	}
	var template struct {
		Spec wirePodSpec `json:"spec"`
	}
	if json.Unmarshal(raw, &template, Options()) == nil {
		if features, err := d.podFeatures(&template.Spec, role); err == nil {
			out.Features = features
		}
	}
	return &out
}

// appendRole appends all that tells one from others.
func appendRole(key []byte, r *snapshot.RoleSpec) []byte {
	key = appendSized(appendSized(append(key, oneIf(r.Counted), oneIf(r.Template != nil)), r.Account), r.SchedulerName)
	if r.Template != nil {
		key = appendSized(appendSized(key, r.Template.Account), string(r.Template.Features))
	}
	key = binary.AppendUvarint(key, uint64(len(r.Sets)))
	for _, f := range r.Sets {
		key = appendSized(appendSized(key, string(f.Field)), f.Name)
	}
	for _, list := range [...][]string{r.Env, r.Mounts} {
		key = binary.AppendUvarint(key, uint64(len(list)))
		for _, name := range list {
			key = appendSized(key, name)
		}
	}
	return key
}

// undecodable returns the first value in a pod template that the operator cannot decode.
func (s *wireSpec) undecodable() *snapshot.Undecodable {
	return cmp.Or(templateProblem(s.Driver.Template, "spec.driver.template"), templateProblem(s.Executor.Template, "spec.executor.template"))
}
