package objects

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Spec is a field of the spec as text; empty: it is not set.
func (v *View) Spec(path ...string) string {
	if v.Application == nil {
		return ""
	}
	field, found, _ := unstructured.NestedFieldNoCopy(v.Application.Object, append([]string{"spec"}, path...)...)
	if !found {
		return ""
	}
	return fieldText(field)
}

// fieldText writes maps as they stand on a command line: pool=spark.
func fieldText(field any) string {
	var parts []string
	switch one := field.(type) {
	case map[string]any:
		for key, value := range one {
			parts = append(parts, key+"="+fieldText(value))
		}
		slices.Sort(parts)
	case []any:
		for _, value := range one {
			parts = append(parts, fieldText(value))
		}
	default:
		return fmt.Sprint(field)
	}
	return strings.Join(parts, ", ")
}

// Settings are those of spec.sparkConf, without those whose name tells a secret.
func (v *View) Settings() map[string]string {
	out := map[string]string{}
	if v.Application == nil {
		return out
	}
	list, _, _ := unstructured.NestedMap(v.Application.Object, "spec", "sparkConf")
	for key, value := range list {
		lower := strings.ToLower(key)
		secret := slices.ContainsFunc([]string{"secret", "password", "token", ".key", "credential", "account.key", "sas"},
			func(word string) bool {
				return strings.Contains(lower, word)
			})
		if text, is := value.(string); is && !secret {
			out[key] = text
		}
	}
	return out
}
