// Package whole makes objects in full, and logs, for the views that a case file is made of: without secrets, and without what nobody
// reads. It reads what such an object says of others, too.
package whole

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Of decodes an object of a view. What names no kind, as the items of lists do, is of the view's.
func Of(src snapshot.Source, raw []byte, at snapshot.Location) (*snapshot.Whole, error) {
	var fields map[string]any
	if err := utiljson.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	w := &snapshot.Whole{Fields: fields}
	metadata, is := fields["metadata"].(map[string]any)
	if !is {
		return nil, errors.New("has no metadata")
	}
	if kind, _ := fields["kind"].(string); kind == "" || kind == "PartialObjectMetadata" {
		fields["apiVersion"], fields["kind"] = src.APIVersion(), src.Kind
	}
	text := func(of map[string]any, name string) string { s, _ := of[name].(string); return s }
	w.Ref = snapshot.Ref{
		APIVersion: text(fields, "apiVersion"), Kind: text(fields, "kind"),
		Namespace: text(metadata, "namespace"), Name: text(metadata, "name"), UID: text(metadata, "uid"),
	}
	if w.Name == "" {
		return nil, errors.New("has no name")
	}
	w.Created, _ = snapshot.ParseTime(text(metadata, "creationTimestamp"))
	w.Created = w.Created.UTC()
	w.Location = at
	head(metadata)
	trim(src, fields)
	bound, lost := identities(w.Kind, metadata), []any(nil)
	if slices.Contains([]snapshot.View{snapshot.WholeApplications, snapshot.WholeConnects}, src.View) {
		lost = dropped(metadata, fields)
	}
	withoutValues(fields)
	if len(lost) > 0 {
		fields[droppedAt] = lost
	}
	if len(bound) > 0 {
		metadata["annotations"] = bound
	}
	return w, nil
}

// identities are the annotations by which clouds bind an identity to a service account (docs of Amazon EKS, IAM roles for service accounts,
// of Google Kubernetes Engine, Workload Identity, and of Azure Workload Identity): without them, whose identity a pod has cannot be told.
// Those of pods say what a gang scheduler reserves for them, and what the proxy of a service mesh does beside them. Of both, Kyverno says
// which of its rules changed which field.
func identities(kind string, metadata map[string]any) map[string]any {
	annotations, _ := metadata["annotations"].(map[string]any)
	out := map[string]any{}
	for _, name := range keptAnnotations(kind) {
		if value, is := annotations[name].(string); is {
			out[name] = value
		}
	}
	return out
}

// keptAnnotations are those of a kind in which nothing secret stands (docs/user_guide/labels_and_annotations_in_yunikorn.md of
// apache/yunikorn-site, istio.io/docs/reference/config/annotations, linkerd.io/2/reference/proxy-configuration).
func keptAnnotations(kind string) []string {
	switch kind {
	case "ServiceAccount":
		return []string{snapshot.AmazonRoleAnnotation, snapshot.GoogleAccountAnnotation, snapshot.AzureClientAnnotation,
			snapshot.KyvernoAnnotation}
	case "SparkApplication":
		return append(disruptions(), trackingAnnotation)
	case "Pod":
		return append(disruptions(),
			"yunikorn.apache.org/task-groups", "yunikorn.apache.org/task-group-name",
			"yunikorn.apache.org/schedulingPolicyParameters", "yunikorn.apache.org/queue",
			"sidecar.istio.io/inject", "traffic.sidecar.istio.io/excludeInboundPorts", "linkerd.io/inject", snapshot.KyvernoAnnotation)
	default:
		return nil
	}
}

// disruptions ask those who remove nodes to wait (karpenter.sh/docs/concepts/disruption, and the FAQ of the cluster autoscaler).
func disruptions() []string {
	return []string{"karpenter.sh/do-not-disrupt", "cluster-autoscaler.kubernetes.io/safe-to-evict"}
}

// head takes out of metadata what repeats the object.
func head(metadata map[string]any) {
	delete(metadata, "selfLink")
	managers, _ := metadata["managedFields"].([]any)
	for _, one := range managers {
		if entry, is := one.(map[string]any); is {
			fields, _ := entry["fieldsV1"].(map[string]any)
			entry["fieldsV1"] = names(fields)
		}
	}
}

// names keeps of a tree of fields the names at its top, and those of metadata: who wrote spec and status, and who set a finalizer.
func names(fields map[string]any) map[string]any {
	out := map[string]any{}
	for name, below := range fields {
		out[name] = map[string]any{}
		if tree, is := below.(map[string]any); is && name == "f:metadata" {
			kept := map[string]any{}
			for name := range tree {
				kept[name] = map[string]any{}
			}
			out[name] = kept
		}
	}
	return out
}

// trim takes out what is large, or is nobody's business: values of ConfigMaps and Secrets, the images of a node.
func trim(src snapshot.Source, fields map[string]any) {
	switch src.View {
	case snapshot.WholeConfigMaps, snapshot.WholeSecrets:
		keys, scripts, most := keysOf(fields), windowsScripts(src, fields), connections(src, fields)
		for name := range fields {
			if name != "apiVersion" && name != "kind" && name != "metadata" {
				delete(fields, name)
			}
		}
		if len(keys) > 0 {
			fields["keys"] = keys
		}
		if len(scripts) > 0 {
			fields[windowsScriptsAt] = scripts
		}
		if len(most) > 0 {
			fields[connectionsAt] = most
		}
	case snapshot.WholeNodes:
		if status, is := fields["status"].(map[string]any); is {
			for _, name := range []string{"images", "volumesInUse", "volumesAttached", "daemonEndpoints", "config"} {
				delete(status, name)
			}
		}
	case snapshot.WholeNeighbors:
		slim(fields)
	case snapshot.WholeDaemonSets:
		placing(fields)
	case snapshot.WholeWorkflows:
		workflow(fields)
	case snapshot.WholeCertRequests:
		keepBelow(fields, "spec", "issuerRef")
		keepBelow(fields, "status", "conditions")
	case snapshot.WholeCSINodes:
		keepBelow(fields, "spec", "drivers")
	default:
		aside(src, fields)
	}
}

// maxKeys bounds the keys of a ConfigMap or a Secret that are kept: more are no help to a reader who looks for one.
const maxKeys = 50

// keysOf are the keys of a ConfigMap or a Secret, in order.
func keysOf(fields map[string]any) []any {
	var keys []string
	for _, name := range []string{"data", "binaryData", "stringData"} {
		values, _ := fields[name].(map[string]any)
		keys = slices.AppendSeq(keys, maps.Keys(values))
	}
	slices.Sort(keys)
	var out []any
	for _, key := range slices.Compact(keys) {
		if len(out) < maxKeys {
			out = append(out, key)
		}
	}
	return out
}

// withoutValues takes annotations, in which anything may stand but for those about the removal of nodes, and the values of environment
// variables out of whatever is below a value: those of containers, those of the roles of an application, and settings of Spark that set
// them (docs/running-on-kubernetes.md@v3.5.5).
func withoutValues(value any) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			withoutValues(one)
		}
	case map[string]any:
		for name, one := range v {
			list, isList := one.([]any)
			variables, isMap := one.(map[string]any)
			switch {
			case name == "annotations":
				all, _ := one.(map[string]any)
				delete(v, name)
				if kept := keep(all, disruptions()...); len(kept) > 0 {
					v[name] = kept
				}
			case name == "env" && isList:
				for _, variable := range list {
					if m, is := variable.(map[string]any); is {
						keepPlain(m)
					}
				}
			case name == "envVars" && isMap:
				for variable := range variables {
					variables[variable] = ""
				}
			case strings.HasPrefix(name, "spark.executorEnv."), strings.HasPrefix(name, "spark.kubernetes.driverEnv."):
				v[name] = ""
			default:
				withoutValues(one)
			}
		}
	}
}

// keepPlain takes the value of a variable away, but for what is known to hold no secret.
func keepPlain(variable map[string]any) {
	name, _ := variable["name"].(string)
	value, _ := variable["value"].(string)
	delete(variable, "value")
	if kept := snapshot.KeptValue(name, value); kept != "" {
		variable["value"] = kept
	}
}

// slim keeps of a pod what it holds of its node and of a quota, whose it is, where it can be reached, and whether it is ready. The labels
// of what is not Spark's tell which Service selects it.
func slim(fields map[string]any) {
	part := func(name string, names ...string) { keepBelow(fields, name, names...) }
	ended := endings(fields)
	metadata, _ := fields["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	head := keep(metadata, "name", "namespace", "uid", "creationTimestamp")
	if of := keep(labels, snapshot.AppNameLabel, snapshot.ConnectNameLabel, snapshot.SparkNameLabel); len(of) > 0 {
		head["labels"] = of
	} else if len(labels) > 0 && labels[snapshot.AppSelectorLabel] == nil {
		head["labels"] = labels
	}
	fields["metadata"] = head
	part("status", "phase", "podIP", "conditions")
	if status, is := fields["status"].(map[string]any); is && len(ended) > 0 {
		status["containerStatuses"] = ended
	}
	part("spec", "nodeName", "overhead", "resources", "priority", "containers", "initContainers", "hostNetwork")
	spec, _ := fields["spec"].(map[string]any)
	for _, list := range []string{"containers", "initContainers"} {
		containers, _ := spec[list].([]any)
		for i := range containers {
			c, _ := containers[i].(map[string]any)
			containers[i] = keep(c, "name", "resources", "restartPolicy", "ports")
		}
	}
}

// endings are the containers of a pod that failed or cannot start, and how: others on the node may need what they serve.
func endings(fields map[string]any) []any {
	status, _ := fields["status"].(map[string]any)
	list, _ := status["containerStatuses"].([]any)
	var out []any
	for _, one := range list {
		s, _ := one.(map[string]any)
		kept := keep(s, "name", "restartCount")
		for _, when := range []string{"state", "lastState"} {
			state, _ := s[when].(map[string]any)
			if how, is := state["terminated"].(map[string]any); is && fmt.Sprint(how["exitCode"]) != "0" {
				kept[when] = map[string]any{"terminated": keep(how, "exitCode", "reason", "startedAt", "finishedAt")}
			}
			if why, is := state["waiting"].(map[string]any); is && when == "state" && why["reason"] != "ContainerCreating" {
				kept[when] = map[string]any{"waiting": keep(why, "reason")}
			}
		}
		if kept["state"] != nil || kept["lastState"] != nil {
			out = append(out, kept)
		}
	}
	return out
}
