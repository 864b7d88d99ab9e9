package fix

import (
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/runtime"
)

// Operation is one operation of a JSON patch (RFC 6902).
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// patch turns changes of an object into operations that test each old value before they write. A field that must not
// be there cannot be tested for, so then the object must not have changed at all. If that is asked for anyway, it is all
// that is tested besides the UID and what must hold.
func patch(object map[string]any, s Step) ([]Operation, error) {
	work := workingCopy(object)
	var out []Operation
	for _, h := range s.Preconditions {
		at, err := locate(object, h.Path)
		if err != nil {
			return nil, err
		}
		out = append(out, Operation{Op: "test", Path: at.pointer, Value: h.Value})
	}
	unchanged := s.unchanged
	for _, c := range s.Changes {
		at, err := locate(work, c.Path)
		if err != nil {
			return nil, err
		}
		if at.exists != (c.Old != nil) || at.exists && !equal(at.value, c.Old) {
			return nil, fmt.Errorf("%s is %s, not %s", c.Path, compact(at.value), compact(c.Old))
		}
		for i, above := range at.missing {
			out = append(out, Operation{Op: "add", Path: above, Value: emptyFor(c.Path[len(c.Path)-len(at.missing)+i])})
		}
		switch {
		case c.Old == nil:
			unchanged = true
			out = append(out, Operation{Op: "add", Path: at.pointer, Value: c.New})
		case c.New == nil && s.unchanged:
			out = append(out, Operation{Op: "remove", Path: at.pointer})
		case c.New == nil:
			out = append(out, Operation{Op: "test", Path: at.pointer, Value: c.Old}, Operation{Op: "remove", Path: at.pointer})
		default:
			out = append(out, Operation{Op: "test", Path: at.pointer, Value: c.Old},
				Operation{Op: "replace", Path: at.pointer, Value: c.New})
		}
		if err := c.Apply(work); err != nil {
			return nil, err
		}
	}
	metadata, _ := object["metadata"].(map[string]any)
	tests := []Operation{{Op: "test", Path: uidPointer, Value: metadata["uid"]}}
	if unchanged {
		tests = append(tests, Operation{Op: "test", Path: versionPointer, Value: metadata["resourceVersion"]})
	}
	return append(tests, out...), nil
}

// workingCopy is an object to try changes on, without managedFields: no change writes them, and those of a grown status
// are larger than the status.
func workingCopy(object map[string]any) map[string]any {
	object = maps.Clone(object)
	if metadata, ok := object["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		delete(metadata, "managedFields")
		object["metadata"] = metadata
	}
	return runtime.DeepCopyJSON(object)
}

const (
	uidPointer     = "/metadata/uid"
	versionPointer = "/metadata/resourceVersion"
)

// emptyFor is the container that the step below needs.
func emptyFor(step string) any {
	if isElement(step) {
		return []any{}
	}
	return map[string]any{}
}
