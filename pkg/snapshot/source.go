package snapshot

import (
	"slices"
)

// Encoding is the form in which items of a view are asked for on the wire.
type Encoding int

const (
	JSON     Encoding = iota // custom resources, files
	Protobuf                 // built-in kinds in full
	Metadata                 // PartialObjectMetadata, as protobuf
)

// Source says where the objects of a view come from.
type Source struct {
	View          View
	Group         string
	Version       string // the version that records are decoded from
	Resource      string
	Kind          string
	Namespaced    bool
	Encoding      Encoding
	LabelSelector string
	FieldSelector string
	PageBytes     int  // expected size of one item, from which page sizes follow
	ByName        bool // each object is got by its name: nobody needs the right to list them
	AtOperator    bool // only objects in the namespaces of the operator are read
	// AlsoIn is another group in which the API server serves the same objects with other fields: a listing of one has them all,
	// and files may hold either.
	AlsoIn string
}

// InGroups returns the source for each group in which its objects may be found in files.
func (s Source) InGroups() []Source {
	if s.AlsoIn == "" {
		return []Source{s}
	}
	other := s
	other.Group, other.AlsoIn = s.AlsoIn, ""
	return []Source{s, other}
}

// APIVersion returns "group/version", or "version" for the core group.
func (s Source) APIVersion() string {
	if s.Group == "" {
		return s.Version
	}
	return s.Group + "/" + s.Version
}

// GroupKind returns the kind of the objects in the view.
func (s Source) GroupKind() GroupKind { return GroupKind{Group: s.Group, Kind: s.Kind} }

// SparkGroup is the API group of the Kubeflow Spark Operator. spark.apache.org is another project.
const SparkGroup = "sparkoperator.k8s.io"

// ArgoGroup is the API group of Argo Workflows.
const ArgoGroup = "argoproj.io"

// LaunchedByLabel is on every pod that the operator or SparkConnect starts (pkg/common/spark.go@v2.5.2).
const LaunchedByLabel = "sparkoperator.k8s.io/launched-by-spark-operator"

// ListedSources lists the views that are listed as a whole, in the order in which they should be read.
func ListedSources() []Source { return sourcesOf(listedKinds()) }

// NamedSources lists the views of which only parts are read that other views name, never a listing of all.
func NamedSources() []Source { return sourcesOf(namedKinds()) }

// Sources lists all views that objects are read into.
func Sources() []Source { return append(ListedSources(), NamedSources()...) }

func sourcesOf(rows []kind) []Source {
	out := make([]Source, 0, len(rows))
	for i := range rows {
		out = append(out, rows[i].Source)
	}
	return out
}

// SourceOf returns the source of a view. What is not read by kind (Owners, what pods serve or log) has none.
func SourceOf(v View) (Source, bool) {
	k, known := kindOf(v)
	return k.Source, known && k.Kind != ""
}

// ClusterScoped reports whether objects of a kind belong to no namespace: kinds of the views, and those of Kubernetes itself
// (`kubectl api-resources --namespaced=false`, kubernetes@v1.36).
func ClusterScoped(gk GroupKind) bool {
	if i := slices.IndexFunc(Sources(), func(s Source) bool { return s.GroupKind() == gk }); i >= 0 {
		return !Sources()[i].Namespaced
	}
	return slices.Contains(clusterScoped()[gk.Group], gk.Kind)
}

// clusterScoped are the kinds of Kubernetes without a namespace that no view is of.
func clusterScoped() map[string][]string {
	return map[string][]string{
		"": {"ComponentStatus", "Node", "PersistentVolume"},
		"admissionregistration.k8s.io": {"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
			"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"},
		"apiregistration.k8s.io":       {"APIService"},
		"certificates.k8s.io":          {"CertificateSigningRequest", "ClusterTrustBundle"},
		"flowcontrol.apiserver.k8s.io": {"FlowSchema", "PriorityLevelConfiguration"},
		"networking.k8s.io":            {"IPAddress", "IngressClass", "ServiceCIDR"},
		"node.k8s.io":                  {"RuntimeClass"},
		"policy":                       {"PodSecurityPolicy"},
		"resource.k8s.io":              {"DeviceClass", "DeviceTaintRule", "ResourceSlice"},
		"scheduling.k8s.io":            {"PriorityClass"},
		"storage.k8s.io":               {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"},
	}
}
