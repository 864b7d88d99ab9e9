package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// NameserviceUnset is a Hadoop configuration that the spec gives and that has no hdfs-site.xml, the file that holds nameservices, where a
// client took one for a host. A ConfigMap that has the file without the nameservice looks alike: its values are not read.
type NameserviceUnset struct {
	Name      string   // of the nameservice
	ConfigMap string   // spec.hadoopConfigMap
	Has       []string // its keys
	Others    []string // ConfigMaps of the namespace that have the file
}

// Mechanism names it.
func (NameserviceUnset) Mechanism() cause.ID { return "nameservice-unset" }

const (
	// hadoopVolume is how the webhook names the volume of spec.hadoopConfigMap (pkg/common/spark.go@v2.5.2).
	hadoopVolume = "hadoop-configmap-volume"
	hdfsSite     = "hdfs-site.xml"
)

// UnsetNameservice explains a nameservice that a client took for a host by the keys of the ConfigMap that should name it.
func UnsetNameservice(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	pod := SubjectPod(v, about)
	if !is || failed.Nameservice == "" || pod == nil {
		return cause.Cause{}, false
	}
	d := NameserviceUnset{Name: failed.Nameservice}
	for i := range pod.Spec.Volumes {
		if one := &pod.Spec.Volumes[i]; one.Name == hadoopVolume && one.ConfigMap != nil {
			d.ConfigMap = one.ConfigMap.Name
		}
	}
	at := slices.IndexFunc(v.ConfigMaps, func(k app.Keyed) bool { return k.Name == d.ConfigMap })
	if d.ConfigMap == "" || at < 0 || v.ConfigMaps[at].Keys == nil || slices.Contains(v.ConfigMaps[at].Keys, hdfsSite) {
		return cause.Cause{}, false
	}
	d.Has = v.ConfigMaps[at].Keys
	for _, other := range v.ConfigMaps {
		if slices.Contains(other.Keys, hdfsSite) {
			d.Others = append(d.Others, other.Name)
		}
	}
	of := snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: v.AppRef().Namespace, Name: d.ConfigMap}
	return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: []cause.Proof{
			{Object: v.AppRef(), Field: "spec.hadoopConfigMap", Value: d.ConfigMap},
			{Object: of, Field: "data", Value: strings.Join(d.Has, ", ")}}}, true
}
