package helm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// source begins the line that Helm writes above each rendered template (pkg/action/action.go of helm.sh/helm/v3@v3.22.0).
const source = "# Source: "

// rendered reads the objects of a manifest, and the charts that they come from. Documents that hold no object, such as empty templates,
// are left out.
func rendered(manifest string) ([]Rendered, error) {
	if len(manifest) > maxManifest {
		return nil, fmt.Errorf("its manifest is larger than %d MiB", maxManifest>>20)
	}
	var out []Rendered
	documents := 0
	for doc := range strings.SplitSeq("\n"+manifest, "\n---") {
		if strings.TrimSpace(doc) == "" {
			continue
		}
		if documents++; documents > maxDocuments {
			return nil, fmt.Errorf("its manifest has more than %d documents", maxDocuments)
		}
		raw, err := wire.YAMLToJSON([]byte(doc))
		if err != nil { // Helm parsed it before it stored it; without it, objects of other charts would go unseen
			return nil, fmt.Errorf("document %d of its manifest is no YAML", documents)
		}
		var o struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Metadata   struct {
				Namespace string `json:"namespace"`
				Name      string `json:"name"`
			} `json:"metadata"`
		}
		if json.Unmarshal(raw, &o) != nil || o.Kind == "" || o.Metadata.Name == "" {
			continue
		}
		ref := snapshot.Ref{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Metadata.Namespace, Name: o.Metadata.Name}
		out = append(out, Rendered{Ref: ref, Charts: chartsOf(doc)})
	}
	return out, nil
}

// chartsOf reads the path of a template, "platform/charts/spark-operator/templates/rbac.yaml" (pkg/chart/chart.go, ChartFullPath, of
// helm.sh/helm/v3@v3.22.0). CRDs are in crds.
func chartsOf(doc string) []string {
	for line := range strings.Lines(doc) {
		path, is := strings.CutPrefix(strings.TrimSpace(line), source)
		if !is {
			continue
		}
		for _, folder := range []string{"/templates/", "/crds/"} {
			if at := strings.LastIndex(path, folder); at > 0 {
				return slices.DeleteFunc(strings.Split(path[:at], "/charts/"), func(name string) bool { return name == "" })
			}
		}
	}
	return nil
}
