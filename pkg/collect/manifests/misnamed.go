package manifests

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// sparkKinds are those of the two groups (PROJECT of kubeflow/spark-operator@v2.5.2, and of apache/spark-kubernetes-operator).
func sparkKinds() map[string][]string {
	return map[string][]string{
		snapshot.SparkGroup:  {"SparkApplication", "ScheduledSparkApplication", "SparkConnect"},
		snapshot.ApacheGroup: {"SparkApplication", "SparkCluster"},
	}
}

// misnamed is an error for an object that is one of Spark's but for a slip in its kind or its group: no check would look at it, and no API
// server takes it. A name that is only like one of these may be another project's.
func misnamed(h *head) error {
	groups := sparkKinds()
	gk := h.groupKind()
	kind := strings.TrimSuffix(gk.Kind, "List")
	if kinds, ours := groups[gk.Group]; ours {
		if meant := slipOf(kind, kinds); meant != "" {
			return fmt.Errorf("%s has no kind %q, did you mean %s?", gk.Group, gk.Kind, meant)
		}
		return nil
	}
	for _, group := range []string{snapshot.SparkGroup, snapshot.ApacheGroup} {
		if slices.Contains(groups[group], kind) && slipOf(gk.Group, []string{group}) != "" {
			return fmt.Errorf("no operator of Spark serves the group %q, did you mean %s?", gk.Group, group)
		}
	}
	return nil
}

// slipOf is the name that was meant by one of about its length; empty where it is one of them, or like none.
func slipOf(name string, all []string) string {
	if name == "" || slices.Contains(all, name) {
		return ""
	}
	near := spelling.Nearest(name, all, 1)
	if len(near) == 0 || max(len(near[0]), len(name))-min(len(near[0]), len(name)) > 2 || !spelling.Slip(name, near[0]) {
		return ""
	}
	return near[0]
}
