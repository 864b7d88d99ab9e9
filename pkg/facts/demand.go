package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
)

// SpecField is where a path of a schema, or a place below spec, is in an object.
func SpecField(path string) string { return strings.TrimSuffix("spec."+path, ".") }

// Demand says what a CRD demands where it refuses a value. The value itself may be a secret.
func Demand(r schema.Rules, v schema.Violation) string {
	rule, field := r[v.Path], SpecField(v.Path)
	if v.At != "" {
		field = SpecField(v.At)
	}
	switch v.Keyword {
	case schema.Type:
		return fmt.Sprintf("%s must be of type %s", field, rule.Type)
	case schema.Enum:
		return fmt.Sprintf("%s must be one of %s", field, SomeOf(rule.Enum, MaxNamed, "value"))
	case schema.Required:
		return fmt.Sprintf("%s must set %s", field, v.Name)
	case schema.Minimum:
		return fmt.Sprintf("%s must be at least %s", field, bound(rule.Minimum, rule.Above))
	case schema.Maximum:
		return fmt.Sprintf("%s must be at most %s", field, bound(rule.Maximum, rule.Below))
	case schema.Pattern:
		return fmt.Sprintf("%s must match %s", field, rule.Pattern)
	case schema.Unique:
		if rule.Set {
			return field + " must not have an item twice"
		}
		return fmt.Sprintf("%s must not have two items with the same %s", field, strings.Join(rule.Keys, " and "))
	default:
		if rule.Longest == nil {
			return fmt.Sprintf("%s must have at least %s", field, phrase.Counted(rule.Shortest, "character"))
		}
		return fmt.Sprintf("%s must have %d to %s", field, rule.Shortest, phrase.Counted(*rule.Longest, "character"))
	}
}

func bound(number string, excluded bool) string {
	if excluded {
		return number + ", exclusive"
	}
	return number
}

// Wanted says in the words of YAML what belongs where a CRD refuses the type of a value: "a map such as {type: Never}".
func Wanted(r schema.Rules, v schema.Violation) string {
	switch kind := r[v.Path].Type; kind {
	case "object":
		if member := memberOf(r, v); member != "" {
			return fmt.Sprintf("a map such as {%s}", member)
		}
		return "a map"
	case "array":
		return "a list"
	case "integer":
		return "a whole number without quotes"
	case "boolean":
		return "true or false, without quotes"
	case "string":
		return "a string: put it in quotes"
	default:
		return "a " + kind
	}
}

// memberOf is the member of a map that takes a value which stands in place of the map.
func memberOf(r schema.Rules, v schema.Violation) string {
	var out []string
	for path, rule := range r {
		name, below := strings.CutPrefix(path, v.Path+".")
		if below && !strings.Contains(name, ".") && slices.Contains(rule.Enum, v.Value) {
			out = append(out, name+": "+strings.Trim(v.Value, `"`))
		}
	}
	if len(out) != 1 {
		return ""
	}
	return out[0]
}

// TypeOf says what a refused value is.
func TypeOf(v schema.Violation) string {
	switch {
	case v.Value == "[]":
		return "a list"
	case v.Value == "{}":
		return "a map"
	case strings.HasPrefix(v.Value, `"`):
		return "a string"
	case v.Value == "true" || v.Value == "false":
		return "true or false"
	default:
		return "a number"
	}
}
