package snapshot

import (
	"slices"
)

// CRD is what is read of a CustomResourceDefinition: no more than the names of fields, for schemas are large.
type CRD struct {
	Object
	Group, Resource string
	// PreservesUnknown says that what the schema does not name is kept (apiextensions.k8s.io/v1,
	// spec.preserveUnknownFields: true): such a CRD was made as v1beta1.
	PreservesUnknown bool
	LastApplied      int // bytes of the annotation that kubectl apply makes on the client's side; 0: there is none
	Versions         []CRDVersion
}

// CRDVersion is one version of a CRD.
type CRDVersion struct {
	Name            string
	Served, Storage bool
	Fields          []string // paths below spec as far as fieldDepth, sorted: "driver.template"
}

// Stored returns the version in which objects are stored, nil if there is none.
func (c *CRD) Stored() *CRDVersion {
	i := slices.IndexFunc(c.Versions, func(v CRDVersion) bool { return v.Storage })
	if i < 0 {
		return nil
	}
	return &c.Versions[i]
}

// Has reports whether the schema names a field, by its path below spec.
func (v *CRDVersion) Has(field string) bool {
	_, found := slices.BinarySearch(v.Fields, field)
	return found
}

// OperatorCRDs returns the definitions of the operator's kinds; from files, all.
func (s *Snapshot) OperatorCRDs() []CRD { return read[CRD](s, OperatorCRDs) }

// CRDNames are the names of the operator's definitions.
func CRDNames() []string {
	return []string{string(SparkApplications), string(ScheduledSparkApplications), string(SparkConnects)}
}
