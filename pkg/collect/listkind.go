package collect

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// maxKind is longer than the kind of a list and its group with the version, which are names of up to 63 and 253 characters.
const maxKind = 1 << 10

// listKind is the kind of list that was asked for. Something else that answers, a proxy or another server, must not pass for a list
// without items.
type listKind struct {
	apiVersion, kind string
	metadata         bool // or the same with nothing but metadata
}

// listOf returns the kind of a list of a resource.
func (r resource) listOf(src snapshot.Source, metadata bool) listKind {
	version := r.version
	if r.group != "" {
		version = r.group + "/" + r.version
	}
	return listKind{version, src.Kind + "List", metadata}
}

// check says what an answer is, if it is not the list. A custom resource may name the kind of its list as it likes
// (apiextensions/v1/types.go@v0.37.2, CustomResourceDefinitionNames.ListKind); those of sparkdoctor's table do not, and of others only
// metadata is asked for.
func (l listKind) check(apiVersion, kind string) error {
	switch {
	case kind == "" || apiVersion == "":
		return fmt.Errorf("%w: it names no kind", errNoList)
	case apiVersion == l.apiVersion && kind == l.kind,
		l.metadata && apiVersion == l.apiVersion && strings.HasSuffix(kind, "List"),
		l.metadata && apiVersion == "meta.k8s.io/v1" && kind == "PartialObjectMetadataList":
		return nil
	}
	return fmt.Errorf("%w that was asked for: it is a %.100s of %.100s, not a %s of %s", errNoList, kind, apiVersion, l.kind, l.apiVersion)
}

// checkProtobuf does the same for an encoded runtime.TypeMeta.
func (l listKind) checkProtobuf(raw []byte) error {
	var is runtime.TypeMeta
	if err := is.Unmarshal(raw); err != nil {
		return fmt.Errorf("%w: its kind cannot be decoded", errNoList)
	}
	return l.check(is.APIVersion, is.Kind)
}
