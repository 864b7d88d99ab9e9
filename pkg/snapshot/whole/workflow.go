package whole

import (
	"slices"
	"strings"
)

// namesObject tells the lines of a manifest by which its object is known. Nothing else of a manifest is kept: anything may stand in it.
func namesObject(line string) bool {
	field, _, is := strings.Cut(strings.TrimSpace(line), ":")
	return is && slices.Contains([]string{"apiVersion", "kind", "name", "generateName"}, field)
}

// workflow leaves of a Workflow of Argo what its steps wait for: the conditions of templates that make an object, the names in its
// manifest, and which steps run (pkg/apis/workflow/v1alpha1/workflow_types.go of argoproj/argo-workflows@v3.6.0).
func workflow(fields map[string]any) {
	spec, _ := fields["spec"].(map[string]any)
	status, _ := fields["status"].(map[string]any)
	stored, _ := status["storedWorkflowTemplateSpec"].(map[string]any)
	nodes := map[string]any{}
	all, _ := status["nodes"].(map[string]any)
	for id, one := range all {
		node, _ := one.(map[string]any)
		nodes[id] = keep(node, "displayName", "templateName", "phase", "startedAt")
	}
	fields["spec"] = map[string]any{"templates": resources(spec)}
	kept := keep(status, "phase")
	kept["nodes"] = nodes
	kept["storedWorkflowTemplateSpec"] = map[string]any{"templates": resources(stored)}
	fields["status"] = kept
}

// resources are the templates that make an object.
func resources(spec map[string]any) []any {
	list, _ := spec["templates"].([]any)
	var out []any
	for i := range list {
		template, _ := list[i].(map[string]any)
		of, is := template["resource"].(map[string]any)
		if !is {
			continue
		}
		kept := keep(of, "action", "successCondition", "failureCondition")
		manifest, _ := of["manifest"].(string)
		var lines []string
		for line := range strings.Lines(manifest) {
			if namesObject(line) {
				lines = append(lines, strings.TrimRight(line, "\n"))
			}
		}
		kept["manifest"] = strings.Join(lines, "\n")
		one := keep(template, "name")
		one["resource"] = kept
		out = append(out, one)
	}
	return out
}
