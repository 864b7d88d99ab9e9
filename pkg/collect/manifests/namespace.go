package manifests

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// defaulted returns an object of a namespaced kind with the namespace of Options, if it names none: what kubectl and Helm do with
// what they apply.
func (b *builder) defaulted(raw []byte, sources []snapshot.Source) []byte {
	if b.namespace == "" || len(sources) == 0 || !sources[0].Namespaced {
		return raw
	}
	var object, metadata map[string]jsontext.Value
	if json.Unmarshal(raw, &object, lenient()) != nil || json.Unmarshal(object["metadata"], &metadata, lenient()) != nil || metadata == nil {
		return raw // the decoder of the kind says what is wrong with it
	}
	if text(metadata["namespace"]) != "" {
		return raw
	}
	quoted, err := jsontext.AppendQuote(nil, b.namespace)
	if err != nil {
		return raw
	}
	metadata["namespace"] = quoted
	if object["metadata"], err = json.Marshal(metadata, json.Deterministic(true), lenient()); err != nil {
		return raw
	}
	out, err := json.Marshal(object, json.Deterministic(true), lenient())
	if err != nil {
		return raw
	}
	return out
}
