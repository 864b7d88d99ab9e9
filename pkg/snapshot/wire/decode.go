// Package wire decodes what an API server or a file says of objects, as JSON or protobuf, into the records of package snapshot. It has
// a decoder under each key of the table of kinds. Records of one decoder share what they have in common.
package wire

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Item is one object as it came from the wire or from a file. Raw is only valid until the next item is read:
// decoders copy what they keep. JSON must be compact, or sizes count white space.
type Item struct {
	Encoding snapshot.Encoding
	Raw      []byte
	Location snapshot.Location
}

// Decoder turns items into records. Records of one decoder share what they have in common. It is not safe for
// concurrent use.
type Decoder struct {
	sharer
	decoders map[snapshot.View]decoder
	against  snapshot.Schemas
	written  func() snapshot.Schemas // against which manifests are read; nil: none
	app      snapshot.SparkApplication
	pod      snapshot.Pod
	one      snapshot.Object

	// Memory that is used again.
	application          wireApplication
	spec                 wirePodSpec
	status               wirePodStatus
	containers           []snapshot.ContainerProblem
	features             snapshot.FeatureSet
	number               [20]byte
	labelsKey, ownersKey []byte
}

// NewDecoder returns a decoder that has seen nothing.
func NewDecoder() *Decoder { return &Decoder{sharer: newSharer(), decoders: decoders()} }

// Compare has objects compared with schemas: see snapshot.Object.Unkept and Refused.
func (d *Decoder) Compare(schemas snapshot.Schemas) { d.against = schemas }

// CompareManifests has objects that no API server has seen compared with schemas, which are asked for once there is one.
func (d *Decoder) CompareManifests(schemas func() snapshot.Schemas) { d.written = schemas }

// compare holds an object against its schema.
func (d *Decoder) compare(src snapshot.Source, item Item, o *snapshot.Object) {
	if item.Encoding != snapshot.JSON {
		return
	}
	if schema := d.against[src.View]; schema != nil {
		o.SetCompared(unkeptFields(item.Raw, schema), refusedValues(item.Raw, schema, false))
	}
	if d.written == nil || !o.Written() || o.Group() != snapshot.SparkGroup || hasStatus(item.Raw) {
		return
	}
	if schema := d.written()[src.View]; schema != nil {
		o.SetCompared(unkeptFields(item.Raw, schema), refusedValues(item.Raw, schema, true))
	}
}

// hasStatus reports whether something has looked at an object.
func hasStatus(object []byte) bool {
	var stored struct {
		Status map[string]any `json:"status"`
	}
	return json.Unmarshal(object, &stored, Options()) == nil && len(stored.Status) > 0
}

// Decode turns an item of a view into a record, which is valid until the next call: Add copies it. With an error there
// is no record, or, for a SparkApplication that is Malformed, one of which only the metadata is good.
func (d *Decoder) Decode(src snapshot.Source, item Item) (snapshot.Record, error) {
	record, err := d.decode(src, item)
	if record != nil && !src.Namespaced {
		// Charts write a namespace on ClusterRoles and their bindings, and the API server drops it.
		snapshot.ObjectOf(record).Namespace = ""
	}
	if record != nil {
		d.compare(src, item, snapshot.ObjectOf(record))
	}
	if err == nil {
		return record, nil
	}
	err = errors.New(Problem(err))
	if a, ok := record.(*snapshot.SparkApplication); ok && a.Name != "" {
		return record, err
	}
	return nil, err
}

// Decode turns a single item into a record.
func Decode(src snapshot.Source, item Item) (snapshot.Record, error) {
	return NewDecoder().Decode(src, item)
}

func (d *Decoder) decode(src snapshot.Source, item Item) (snapshot.Record, error) {
	decode := d.decoders[src.View]
	if decode == nil {
		return nil, fmt.Errorf("view %q has no decoder", src.View)
	}
	return decode(d, src, item)
}

// typed decodes a built-in kind in full; the caller narrows it.
func typed[T any, P interface {
	*T
	Unmarshal([]byte) error
}](item Item, into P) error {
	if item.Encoding == snapshot.JSON {
		return utiljson.Unmarshal(item.Raw, into)
	}
	return into.Unmarshal(item.Raw)
}

// decodeObject reads metadata only, of any kind, into d.one.
func (d *Decoder) decodeObject(src snapshot.Source, item Item) (*snapshot.Object, error) {
	o := &d.one
	*o = snapshot.Object{}
	if item.Encoding == snapshot.JSON {
		var w wireObject
		if err := json.Unmarshal(item.Raw, &w, Options()); err != nil {
			return o, err
		}
		*o = w.object(item.Location)
		// Items of typed lists carry no kind, and metadata comes as an object of its own kind.
		if o.Kind == "" || o.Kind == "PartialObjectMetadata" {
			o.APIVersion, o.Kind = src.APIVersion(), src.Kind
		}
		d.object(o)
		return o, nil
	}
	o.APIVersion = src.APIVersion()
	o.Kind = src.Kind
	o.Location = item.Location
	metadata, err := first(item.Raw, 1)
	if err != nil {
		return o, err
	}
	return o, d.protoMetadata(metadata, o)
}

// decodeWorkload reads those that a SparkApplication owns.
func (d *Decoder) decodeWorkload(src snapshot.Source, item Item) (*snapshot.Object, error) {
	o, err := d.decodeObject(src, item)
	app := snapshot.GroupKind{Group: snapshot.SparkGroup, Kind: "SparkApplication"}
	if err == nil && !slices.ContainsFunc(o.Owners, func(r snapshot.OwnerReference) bool { return r.GroupKind() == app }) {
		return nil, nil
	}
	return o, err
}

func indexed(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
