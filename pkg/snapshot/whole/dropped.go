package whole

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// droppedAt is where an object in full has the fields that were applied and that the API server did not keep.
const droppedAt = "dropped"

// mostAnnotation is what an API server takes of all annotations of an object (TotalAnnotationSizeLimitB in
// staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go of kubernetes@v1.36.3): a longer one is of no server.
const mostAnnotation = 256 << 10

// mostNames bounds the names that are kept of a field.
const mostNames = 200

// dropped compares the spec that was applied with the one that is there: an API server prunes what the schema of a CRD does not know
// (staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning/algorithm.go of kubernetes@v1.36.3). Only an object whose spec
// was never changed tells: a field may have been removed since.
func dropped(metadata, fields map[string]any) []any {
	annotations, _ := metadata["annotations"].(map[string]any)
	text, _ := annotations[snapshot.LastAppliedAnnotation].(string)
	spec, is := fields["spec"].(map[string]any)
	var applied struct {
		Spec map[string]any `json:"spec"`
	}
	if generation, _ := Fields(metadata).Value("generation"); generation != int64(1) || !is || text == "" || len(text) > mostAnnotation ||
		json.Unmarshal([]byte(text), &applied) != nil {
		return nil
	}
	out := absent(spec, applied.Spec, "")
	for _, role := range []string{"driver", "executor", "server"} {
		there, has := spec[role].(map[string]any)
		below, was := applied.Spec[role].(map[string]any)
		if has && was {
			out = append(out, absent(there, below, role+".")...)
		}
	}
	return out
}

// absent are the fields that were applied and are not there, with the names in them. What is empty may be left out.
func absent(there, applied map[string]any, prefix string) []any {
	var out []any
	for _, field := range slices.Sorted(maps.Keys(applied)) {
		if _, has := there[field]; has {
			continue
		}
		if list := namesIn(applied[field], nil); len(list) > 0 {
			out = append(out, map[string]any{"path": prefix + field, "names": list})
		}
	}
	return out
}

// namesIn are the names of fields in a value, and what these name: variables, taints, paths of mounts. Other values may be secret.
func namesIn(value any, out []any) []any {
	if len(out) >= mostNames {
		return out
	}
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			out = namesIn(one, out)
		}
	case map[string]any:
		for _, field := range slices.Sorted(maps.Keys(v)) {
			if len(out) >= mostNames {
				return out
			}
			out = append(out, field)
			if text, is := v[field].(string); is && slices.Contains([]string{"name", "key", "mountPath"}, field) {
				out = append(out, text)
			}
			out = namesIn(v[field], out)
		}
	}
	return out
}
