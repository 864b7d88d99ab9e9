package scan_test

import (
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// release is the namespace into which the charts below pkg/checks/testdata were rendered.
const release = "spark-operator"

type object = map[string]any

// rendered reads what helm template printed of a chart.
func rendered(t *testing.T, chart string) []object {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "checks", "testdata", "rendered", "chart-"+chart+".yaml"))
	require.NoError(t, err)
	var out []object
	for _, text := range strings.Split("\n"+string(data), "\n---") {
		var o object
		require.NoError(t, yaml.Unmarshal([]byte(text), &o))
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

func metadata(o object) object { return o["metadata"].(object) }

func ofCluster(o object) bool {
	kind := o["kind"].(string)
	return strings.HasPrefix(kind, "Cluster") || strings.HasSuffix(kind, "Configuration") || kind == "CustomResourceDefinition"
}

// inNamespaces is what a cluster holds of rendered manifests.
func inNamespaces(list []object) []object {
	for _, o := range list {
		if ofCluster(o) {
			delete(metadata(o), "namespace")
		} else if metadata(o)["namespace"] == nil {
			metadata(o)["namespace"] = release
		}
	}
	return list
}

// written are the ways in which one set of objects is printed.
func written() map[string]func([]object) []object {
	return map[string]func([]object) []object{
		"as printed": func(list []object) []object { return list },
		"namespaces of the release left out": func(list []object) []object {
			for _, o := range list {
				if metadata(o)["namespace"] == release {
					delete(metadata(o), "namespace")
				}
			}
			return list
		},
		"every namespace written": inNamespaces,
		"namespaces on what has none": func(list []object) []object {
			for _, o := range list {
				if ofCluster(o) {
					metadata(o)["namespace"] = "anywhere"
				}
			}
			return list
		},
		"a Role for each rule": splitRoles,
		"a Role twice":         twice,
		"backwards":            func(list []object) []object { slices.Reverse(list); return list },
		"shuffled": func(list []object) []object {
			r := rand.New(rand.NewSource(7)) //nolint:gosec // the same every time
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			return list
		},
	}
}

// splitRoles makes of every Role and ClusterRole as many as it has rules, with a binding each.
func splitRoles(list []object) []object {
	var out []object
	for _, o := range list {
		kind, name := o["kind"].(string), metadata(o)["name"].(string)
		switch {
		case strings.HasSuffix(kind, "Role"):
			rules, _ := o["rules"].([]any)
			for i, rule := range rules {
				out = append(out, copied(o, fmt.Sprintf("%s-%d", name, i), "rules", []any{rule}))
			}
		case strings.HasSuffix(kind, "RoleBinding"):
			ref := maps.Clone(o["roleRef"].(object))
			for i := range 20 { // more than any has rules: what binds no Role grants nothing
				ref["name"] = fmt.Sprintf("%s-%d", o["roleRef"].(object)["name"], i)
				out = append(out, copied(o, fmt.Sprintf("%s-%d", name, i), "roleRef", maps.Clone(ref)))
			}
		default:
			out = append(out, o)
		}
	}
	return out
}

// twice adds a copy of every Role under another name, and of its bindings.
func twice(list []object) []object {
	out := slices.Clone(list)
	for _, o := range list {
		kind, name := o["kind"].(string), metadata(o)["name"].(string)
		switch {
		case strings.HasSuffix(kind, "Role"):
			out = append(out, copied(o, name+"-too", "rules", o["rules"]))
		case strings.HasSuffix(kind, "RoleBinding"):
			ref := maps.Clone(o["roleRef"].(object))
			ref["name"] = ref["name"].(string) + "-too"
			out = append(out, copied(o, name+"-too", "roleRef", ref))
		}
	}
	return out
}

func copied(o object, name, field string, value any) object {
	out := maps.Clone(o)
	out["metadata"] = maps.Clone(metadata(o))
	metadata(out)["name"], out[field] = name, value
	return out
}

// judged is the verdict, what each check says, and each finding.
func judged(t *testing.T, from string, installed, target []object, complete bool) []string {
	t.Helper()
	return judgedTo(t, "2.1.1", from, "", installed, target, complete)
}

// judgedTo is the same of an upgrade to a release, with a text of values; without a target only the chart is known.
func judgedTo(t *testing.T, release, from, values string, installed, target []object, complete bool) []string {
	t.Helper()
	dir := t.TempDir()
	file := func(name string, list []object) string {
		var text strings.Builder
		for _, o := range list {
			data, err := yaml.Marshal(o)
			require.NoError(t, err)
			text.WriteString("---\n" + string(data))
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
		return path
	}
	to, err := operator.ReleaseNamed(release)
	require.NoError(t, err)
	o := scan.GateOptions{
		Options: scan.Options{Source: scan.Files{Paths: []string{file("installed.yaml", installed)}, Complete: complete}},
		To:      to.Application,
	}
	if target != nil {
		o.Manifests = file("target.yaml", target)
	}
	if values != "" {
		o.Values, o.Stdin = "-", strings.NewReader(values)
	}
	if from != "" {
		o.From, err = operator.ReleaseNamed(from)
		require.NoError(t, err)
	}
	r, err := scan.Gate(t.Context(), o)
	require.NoError(t, err)
	r.Decide("error", false)
	out := []string{r.Gate.Verdict, r.Gate.Because}
	for _, c := range r.Checks {
		out = append(out, strings.Join([]string{c.ID, c.Status, c.Coverage, c.Reason}, " "))
	}
	for _, i := range r.Items {
		out = append(out, strings.Join([]string{i.Check, i.Severity, i.Certainty, i.Object.String(), i.Message}, " "))
	}
	return out
}

func application() object {
	return object{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
		"metadata": object{"name": "etl", "namespace": "spark-apps", "uid": "etl"}, // an API server has accepted it
		"spec":     object{"type": "Scala", "mode": "cluster", "mainApplicationFile": "local:///app.jar", "sparkVersion": "3.5.5"},
	}
}

// TestTargetAsHelmPrintsIt: however the same objects are printed, the verdict is the same, for the chart as it is and for each rule of
// its Roles left out in turn. Helm writes no namespace on Deployments, and one on ClusterRoles.
func TestTargetAsHelmPrintsIt(t *testing.T) {
	installed := append(inNamespaces(rendered(t, "2.0.2")), application())
	whole := judged(t, "", installed, rendered(t, "2.1.1"), true)
	require.NotContains(t, strings.Join(whole, "\n"), "SD7020 error")
	require.Contains(t, whole, "SD7020 passed complete ")
	errors := 0
	for i, missing := range rulesOf(rendered(t, "2.1.1")) {
		target := func() []object { return without(rendered(t, "2.1.1"), missing) }
		want := judged(t, "", installed, target(), true)
		errors += strings.Count(strings.Join(want, "\n"), "SD7020 error proven")
		ways := slices.Sorted(maps.Keys(written()))
		if missing != "" {
			ways = []string{ways[i%len(ways)]} // of a Role that lacks a rule, each way in turn
		}
		for _, name := range ways {
			require.Equal(t, want, judged(t, "", installed, written()[name](target()), true), "%s without %s", name, missing)
		}
	}
	require.Positive(t, errors)
}

// rulesOf names nothing, and each rule of each Role.
func rulesOf(list []object) []string {
	out := []string{""}
	for _, o := range list {
		rules, _ := o["rules"].([]any)
		for i := range rules {
			if strings.HasSuffix(o["kind"].(string), "Role") {
				out = append(out, fmt.Sprintf("%s %s %d", o["kind"], metadata(o)["name"], i))
			}
		}
	}
	return out
}

func without(list []object, missing string) []object {
	for _, o := range list {
		rules, _ := o["rules"].([]any)
		for i := range rules {
			if fmt.Sprintf("%s %s %d", o["kind"], metadata(o)["name"], i) == missing {
				o["rules"] = slices.Delete(slices.Clone(rules), i, i+1)
				break
			}
		}
	}
	return list
}

// TestTargetWithoutPermissions: Roles that grant nothing are an error, and where no operator was seen, the bindings tell its namespace.
func TestTargetWithoutPermissions(t *testing.T) {
	installed := append(inNamespaces(rendered(t, "2.0.2")), application())
	emptied := func() []object {
		list := rendered(t, "2.1.1")
		for _, o := range list {
			if strings.HasSuffix(o["kind"].(string), "Role") {
				o["rules"] = []any{}
			}
		}
		return list
	}
	for name, write := range written() {
		got := judged(t, "", installed, write(emptied()), true)
		require.Equal(t, "NO-GO", got[0], name)
		require.Contains(t, strings.Join(got, "\n"), "SD7020 error proven Deployment spark-operator/spark-spark-operator-controller", name)
	}
	// A repository of applications shows no operator: the bindings tell where the release goes.
	apps := []object{application()}
	got := strings.Join(judged(t, "2.0.2", apps, rendered(t, "2.1.1"), false), "\n")
	require.NotContains(t, got, "SD7020 error")
	require.NotContains(t, got, "names no namespace")
	got = strings.Join(judged(t, "2.0.2", apps, emptied(), false), "\n")
	require.Contains(t, got, "SD7020 error likely")
	// Nothing tells: the verdict is open.
	unbound := slices.DeleteFunc(written()["namespaces of the release left out"](rendered(t, "2.1.1")), func(o object) bool {
		return strings.HasSuffix(o["kind"].(string), "Binding") && strings.Contains(metadata(o)["name"].(string), "-controller")
	})
	open := judged(t, "2.0.2", apps, unbound, false)
	require.Equal(t, "INCOMPLETE", open[0])
	require.Contains(t, strings.Join(open, "\n"), "names no namespace")
}
