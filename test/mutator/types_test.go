package mutator

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// spoil puts a value of another type in the place of one below a value, and returns what became of that.
func (m maker) spoil(value any) any {
	switch of := value.(type) {
	case object:
		if keys := slices.Sorted(maps.Keys(of)); len(keys) > 0 && !m.some(4) {
			key := pick(m, keys...)
			of[key] = m.spoil(of[key])
			return of
		}
	case []any:
		if len(of) > 0 && !m.some(4) {
			i := m.IntN(len(of))
			of[i] = m.spoil(of[i])
			return of
		}
	}
	return pick[any](m, 3, 0.5, "text", true, nil, object{"name": "x"}, object{}, []any{"x"}, []any{}, []any{object{"name": "x"}})
}

// full is a template with more kinds of values than those that the webhook is shown.
func (m maker) full(role string) object {
	template := m.template(role)
	spec := template["spec"].(object)
	c := listOf(spec["containers"])[0].(object)
	m.maybe(c, 2, "resources", object{"limits": object{"memory": pick[any](m, "2Gi", 2147483648, "4 gigs", "1.5")}})
	m.maybe(c, 2, "ports", []any{object{"containerPort": 8080}})
	m.maybe(c, 2, "livenessProbe", object{"httpGet": object{"port": pick[any](m, "http", 8080)}, "periodSeconds": 10})
	m.maybe(c, 3, "securityContext", object{"runAsUser": pick[any](m, 185, "185", 185.0, 1e3)})
	m.maybe(spec, 2, "terminationGracePeriodSeconds", 30)
	m.maybe(spec, 2, "nodeSelector", object{"spot": pick[any](m, "true", true)})
	m.maybe(spec, 3, "unknownField", object{"any": "thing"})
	m.maybe(template, 3, "metadata", object{"creationTimestamp": pick[any](m, "2026-11-20T03:00:00Z", nil, "yesterday"),
		"annotations": object{"a": pick[any](m, "1", 1)}})
	return template
}

// TestUndecodableTemplates holds SD5003 to the operator's own types. The CRD describes all of an application but pod templates, so
// that a wrong type gets past the API server only there.
func TestUndecodableTemplates(t *testing.T) {
	refused, taken := 0, 0
	change := func(m maker, one *trial) {
		role := one.app["spec"].(object)[pick(m, "driver", "executor")].(object)
		role["template"] = m.full("driver")
		if m.some(2) {
			role["template"] = m.spoil(role["template"])
		}
		one.before = nil
	}
	eachRelease(t, change, func(t *testing.T, version string, one *trial) {
		if one.answer.Refused != "" {
			refused++
		} else {
			taken++
		}
		require.Equal(t, one.answer.Refused != "", len(look(t, "SD5003", version, one.app, nil)) > 0, "operator %s says %q", version,
			one.answer.Refused)
	})
	require.Greater(t, refused, applications/10)
	require.Greater(t, taken, applications/10)
}

// TestTypesThatAreTaken holds that nothing is called undecodable that the operator decodes, wherever it stands.
func TestTypesThatAreTaken(t *testing.T) {
	spoiled := 0
	change := func(m maker, one *trial) {
		before, err := json.Marshal(one.app["spec"])
		require.NoError(t, err)
		one.app["spec"] = m.spoil(one.app["spec"])
		after, err := json.Marshal(one.app["spec"])
		require.NoError(t, err)
		if string(before) != string(after) {
			spoiled++
		}
		one.before = nil
	}
	eachRelease(t, change, func(t *testing.T, version string, one *trial) {
		if one.answer.Refused == "" {
			require.Empty(t, look(t, "SD5003", version, one.app, nil))
		}
	})
	require.Greater(t, spoiled, applications/2)
}
