package whole

import (
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// keep are the named fields of an object.
func keep(of map[string]any, names ...string) map[string]any {
	out := map[string]any{}
	for _, name := range names {
		if value, is := of[name]; is {
			out[name] = value
		}
	}
	return out
}

// keepBelow leaves of a field of an object what is named.
func keepBelow(fields map[string]any, name string, names ...string) {
	of, _ := fields[name].(map[string]any)
	fields[name] = keep(of, names...)
}

// windowsScriptsAt is where the keys of a ConfigMap stand that hold a script with Windows line ends.
const windowsScriptsAt = "windowsScripts"

// windowsScripts are the keys of a ConfigMap whose value is a script, and its first line ends with CR LF: the kernel takes the CR for a
// part of the name of the interpreter (fs/binfmt_script.c of Linux). Nothing else of the value is kept.
func windowsScripts(src snapshot.Source, fields map[string]any) []any {
	values, _ := fields["data"].(map[string]any)
	var out []any
	for _, key := range slices.Sorted(maps.Keys(values)) {
		text, _ := values[key].(string)
		first, _, _ := strings.Cut(text, "\n")
		if src.View == snapshot.WholeConfigMaps && strings.HasPrefix(first, "#!") && strings.HasSuffix(first, "\r") && len(out) < maxKeys {
			out = append(out, key)
		}
	}
	return out
}

// connectionsAt is where a ConfigMap has how many connections the database allows whose settings it holds.
const connectionsAt = "connections"

// connections are these settings of PostgreSQL or MySQL in a ConfigMap (src/backend/utils/misc/postgresql.conf.sample of postgres/postgres
// @REL_16_0). They are numbers; nothing else of the value is kept.
func connections(src snapshot.Source, fields map[string]any) map[string]any {
	values, _ := fields["data"].(map[string]any)
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		text, _ := values[key].(string)
		if src.View != snapshot.WholeConfigMaps || !strings.Contains(text, "max_connections") {
			continue
		}
		for line := range strings.Lines(text) {
			setting, _, _ := strings.Cut(line, "#")
			words := strings.Fields(strings.NewReplacer("=", " ", "'", " ").Replace(setting))
			known := len(words) == 2 && (words[0] == "max_connections" || words[0] == "superuser_reserved_connections")
			if known && plainValue(words[1]) {
				out[words[0]] = words[1]
			}
		}
	}
	return out
}

// placing leaves of a DaemonSet on which nodes its pods may run, and which directories and sockets of the node they use: by these a driver
// of volumes is known.
func placing(fields map[string]any) {
	spec, _ := fields["spec"].(map[string]any)
	template, _ := spec["template"].(map[string]any)
	pod, _ := template["spec"].(map[string]any)
	kept := keep(pod, "nodeName", "nodeSelector", "affinity", "tolerations")
	var paths []any
	volumes, _ := pod["volumes"].([]any)
	for i := range volumes {
		volume, _ := volumes[i].(map[string]any)
		if _, is := volume["hostPath"].(map[string]any); is {
			paths = append(paths, keep(volume, "name", "hostPath"))
		}
	}
	var containers []any
	list, _ := pod["containers"].([]any)
	for i := range list {
		container, _ := list[i].(map[string]any)
		args, _ := container["args"].([]any)
		one := keep(container, "name")
		one["args"] = slices.DeleteFunc(args, func(arg any) bool { text, _ := arg.(string); return !strings.HasSuffix(text, ".sock") })
		containers = append(containers, one)
	}
	kept["volumes"], kept["containers"] = paths, containers
	fields["spec"] = map[string]any{"template": map[string]any{"spec": kept}}
	delete(fields, "status")
}
