package snapshot

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// fieldDepth is how deep fields are told apart: those of spec.template.driver, of a schedule.
const fieldDepth = 3

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

type wireCRD struct {
	wireObject
	Spec struct {
		Group string `json:"group"`
		Names struct {
			Plural string `json:"plural"`
		} `json:"names"`
		PreservesUnknown bool `json:"preserveUnknownFields"`
		Versions         []struct {
			Name    string `json:"name"`
			Served  bool   `json:"served"`
			Storage bool   `json:"storage"`
			Schema  struct {
				Root struct {
					Properties struct {
						Spec fieldNames `json:"spec"`
					} `json:"properties"`
				} `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
}

func decodeCRD(raw []byte, loc Location) (CRD, error) {
	var w wireCRD
	if err := json.Unmarshal(raw, &w, decodeOptions()); err != nil {
		return CRD{}, err
	}
	out := CRD{Object: w.object(loc), Group: w.Spec.Group, Resource: w.Spec.Names.Plural, PreservesUnknown: w.Spec.PreservesUnknown, LastApplied: w.Metadata.Annotations.LastApplied}
	for _, v := range w.Spec.Versions {
		fields := []string(v.Schema.Root.Properties.Spec)
		slices.Sort(fields)
		out.Versions = append(out.Versions, CRDVersion{v.Name, v.Served, v.Storage, slices.Clip(fields)})
	}
	return out, nil
}

// fieldNames reads the names of a schema's properties and those within, and passes over the rest.
type fieldNames []string

func (f *fieldNames) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return f.read(dec, nil) }

func (f *fieldNames) read(dec *jsontext.Decoder, path []string) error {
	if dec.PeekKind() != '{' || len(path) >= fieldDepth {
		return dec.SkipValue()
	}
	return members(dec, func(keyword string) error {
		if keyword != "properties" {
			return dec.SkipValue()
		}
		return members(dec, func(name string) error {
			below := append(slices.Clip(path), name)
			*f = append(*f, strings.Join(below, "."))
			return f.read(dec, below)
		})
	})
}
