package spark

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// bringsByConf returns what Spark puts on the pods of a role because of its configuration
// (spark.apache.org/docs/3.5.5/running-on-kubernetes.html#configuration).
func bringsByConf(a *snapshot.SparkApplication, role string) []snapshot.Feature {
	var list []snapshot.Feature
	for _, set := range a.Settings {
		if f, ok := broughtBy(set.Key, set.Value, role); ok {
			list = append(list, f)
		}
	}
	return list
}

func broughtBy(key, value, role string) (snapshot.Feature, bool) {
	env := map[string]string{"driver": "spark.kubernetes.driverEnv.", "executor": "spark.executorEnv."}[role]
	if name, ok := strings.CutPrefix(key, env); ok {
		return snapshot.Feature{Field: snapshot.Env, Name: name}, true
	}
	if rest, ok := strings.CutPrefix(key, "spark."+role+".resource."); ok {
		name, isVendor := strings.CutSuffix(rest, ".vendor")
		return snapshot.Feature{Field: snapshot.GPU, Name: value + "/" + name}, isVendor
	}
	rest, ok := strings.CutPrefix(key, "spark.kubernetes.")
	if !ok {
		return snapshot.Feature{}, false
	}
	own, isOwn := strings.CutPrefix(rest, role+".")
	if isOwn {
		rest = own
	}
	switch {
	case rest == "scheduler.name":
		return snapshot.Feature{Field: snapshot.SchedulerName, Name: value}, true
	case strings.HasPrefix(rest, "node.selector."):
		return snapshot.Feature{Field: snapshot.NodeSelector, Name: strings.TrimPrefix(rest, "node.selector.") + "=" + value}, true
	case isOwn && strings.HasPrefix(rest, "secretKeyRef."):
		return snapshot.Feature{Field: snapshot.Env, Name: strings.TrimPrefix(rest, "secretKeyRef.")}, true
	case isOwn && strings.HasPrefix(rest, "secrets."):
		return snapshot.Feature{Field: snapshot.VolumeMounts, Name: strings.TrimPrefix(rest, "secrets.") + "-volume"}, true
	case isOwn && strings.HasPrefix(rest, "volumes."):
		if parts := strings.Split(rest, "."); len(parts) > 3 {
			return snapshot.Feature{Field: snapshot.VolumeMounts, Name: parts[2]}, true
		}
	}
	return snapshot.Feature{}, false
}
