package snapshot

import (
	"encoding/binary"
	"slices"
	"sort"
	"strings"
)

// Field is a field of spec.driver and spec.executor, or of spec, that reaches pods by the operator's webhook and by
// nothing else.
type Field string

// The fields (internal/webhook/sparkpod_defaulter.go@v2.5.2, pkg/webhook/patch.go@spark-operator-chart-1.4.6).
const (
	Env                    Field = "env"
	EnvFrom                Field = "envFrom"
	VolumeMounts           Field = "volumeMounts"
	RoleConfigMaps         Field = "configMaps"
	Tolerations            Field = "tolerations"
	Affinity               Field = "affinity"
	NodeSelector           Field = "nodeSelector"
	PodSecurityContext     Field = "podSecurityContext"
	SecurityContext        Field = "securityContext"
	Sidecars               Field = "sidecars"
	InitContainers         Field = "initContainers"
	HostNetwork            Field = "hostNetwork"
	DNSConfig              Field = "dnsConfig"
	HostAliases            Field = "hostAliases"
	ShareProcessNamespace  Field = "shareProcessNamespace"
	TerminationGracePeriod Field = "terminationGracePeriodSeconds"
	Lifecycle              Field = "lifecycle"
	Ports                  Field = "ports"
	GPU                    Field = "gpu"
	SchedulerName          Field = "schedulerName"
	PriorityClassName      Field = "priorityClassName"
	MemoryLimit            Field = "memoryLimit"

	SparkConfigMap     Field = "sparkConfigMap"  // of spec, for both roles
	HadoopConfigMap    Field = "hadoopConfigMap" // of spec, for both roles
	Monitoring         Field = "monitoring"      // of spec, for the roles that it exposes
	BatchScheduler     Field = "batchScheduler"  // of spec, for both roles: it becomes the name of their scheduler
	BatchPriorityClass Field = "batchSchedulerOptions.priorityClassName"
	SparkContainer     Field = "container" // not a field: the name by which the Spark container was found
)

// OfSpec reports whether the field lies right below spec, not in a role.
func (f Field) OfSpec() bool {
	return f == SparkConfigMap || f == HadoopConfigMap || f == Monitoring || f == BatchScheduler || f == BatchPriorityClass
}

// Feature is one thing of a field: an environment variable's name, a volume's, a toleration; never a value that may be
// secret.
type Feature struct {
	Field Field
	Name  string
}

// Features are what a pod has, as a sorted set of 64-bit hashes. Fleets have 100,000 pods; those of one application
// and role share one set (see sharer).
type Features string

// other is the name under which a field is kept of which a pod has another value than the default.
const other = "*"

// FNV-1a of field, zero and name; hash/fnv would copy both.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func fnv[T ~string | ~[]byte](h uint64, text T) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * fnvPrime
	}
	return h
}

func hashOf(f Feature) uint64 { return fnv(fnv(fnvOffset, f.Field)*fnvPrime, f.Name) }

// FeatureSet gathers the hashes of features. The zero value is empty.
type FeatureSet struct{ hashes []uint64 }

// Reset empties the set and keeps its memory.
func (s *FeatureSet) Reset() { s.hashes = s.hashes[:0] }

// Add adds a feature whose name is put together of parts.
func (s *FeatureSet) Add(field Field, parts ...[]byte) {
	h := fnv(fnvOffset, field) * fnvPrime
	for _, part := range parts {
		h = fnv(h, part)
	}
	s.hashes = append(s.hashes, h)
}

// AddOther notes that a pod has another value in a field than the default.
func (s *FeatureSet) AddOther(field Field) { s.Add(field, []byte(other)) }

// AppendTo appends the hashes in the order in which they were added.
func (s *FeatureSet) AppendTo(key []byte) []byte {
	for _, h := range s.hashes {
		key = binary.BigEndian.AppendUint64(key, h)
	}
	return key
}

// Packed sorts the hashes and writes them as Features.
func (s *FeatureSet) Packed() Features {
	slices.Sort(s.hashes)
	s.hashes = slices.Compact(s.hashes)
	return Features(s.AppendTo(make([]byte, 0, len(s.hashes)*8)))
}

// FeaturesOf packs a list.
func FeaturesOf(list []Feature) Features {
	s := FeatureSet{make([]uint64, 0, len(list))}
	for _, f := range list {
		s.hashes = append(s.hashes, hashOf(f))
	}
	return s.Packed()
}

func (s Features) holds(f Feature) bool {
	var want [8]byte
	binary.BigEndian.PutUint64(want[:], hashOf(f))
	n := len(s) / 8
	i := sort.Search(n, func(i int) bool { return string(s[i*8:i*8+8]) >= string(want[:]) })
	return i < n && string(s[i*8:i*8+8]) == string(want[:])
}

// Has reports whether the pod has what the webhook would have put there for a feature.
func (s Features) Has(f Feature) bool { return s.holds(f.onPod()) }

// Lacks reports whether the pod has nothing in the place of a feature. A pod that neither has nor lacks it has another
// value there, which somebody else chose.
func (s Features) Lacks(f Feature) bool {
	on := f.onPod()
	if s.holds(on) {
		return false
	}
	if on.Field == NodeSelector {
		key, _, _ := strings.Cut(on.Name, "=")
		return !s.holds(Feature{NodeSelector, key})
	}
	return !s.holds(Feature{on.Field, other})
}

// ContainerNamed reports whether the pod's Spark container was found under this name, not by its place.
func (s Features) ContainerNamed(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return s.holds(Feature{SparkContainer, name}) })
}

// onPod returns the feature as a pod shows it.
func (f Feature) onPod() Feature {
	switch f.Field {
	case SparkConfigMap, HadoopConfigMap, Monitoring:
		return Feature{RoleConfigMaps, f.Name}
	case BatchScheduler:
		return Feature{SchedulerName, f.Name}
	case BatchPriorityClass:
		return Feature{PriorityClassName, f.Name}
	default:
		return f
	}
}
