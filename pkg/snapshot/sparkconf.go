package snapshot

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// SparkConf keeps the few keys of spec.sparkConf that change what the operator does.
type SparkConf struct {
	DriverPodName     string // spark.kubernetes.driver.pod.name
	Namespace         string // spark.kubernetes.namespace
	DynamicAllocation bool   // spark.dynamicAllocation.enabled=true
}

// wireConf is spec.sparkConf, with the settings by which Spark itself puts something on pods.
type wireConf struct {
	SparkConf
	onPods    settings
	contested []Setting
}

// UnmarshalJSONFrom keeps the settings that checks read and skips the others.
func (c *wireConf) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return rawMembers(dec, func(raw []byte) error {
		if !isRead(raw) {
			return dec.SkipValue()
		}
		name := string(raw)
		if isContested(name) && name != namespaceSetting {
			c.contested = append(c.contested, Setting{Key: name})
		}
		switch name {
		case "spark.kubernetes.driver.pod.name":
			return json.UnmarshalDecode(dec, &c.DriverPodName)
		case namespaceSetting:
			err := json.UnmarshalDecode(dec, &c.Namespace)
			c.contested = append(c.contested, Setting{namespaceSetting, c.Namespace})
			return err
		case "spark.dynamicAllocation.enabled":
			var value string
			err := json.UnmarshalDecode(dec, &value)
			c.DynamicAllocation = strings.EqualFold(value, "true")
			return err
		}
		value, err := dec.ReadValue()
		if text, unquoted := jsontext.AppendUnquote(nil, value); unquoted == nil {
			c.onPods = append(c.onPods, Setting{name, string(text)})
		}
		return err
	})
}

// isRead reports whether anything about a setting is kept. Most settings are none of ours.
func isRead(key []byte) bool {
	return bytes.HasPrefix(key, []byte("spark.kubernetes.")) || bytes.HasPrefix(key, []byte("spark.executorEnv.")) || bytes.Contains(key, []byte(".resource.")) ||
		string(key) == "spark.master" || string(key) == "spark.dynamicAllocation.enabled"
}

// settings are a part of sparkConf, as it was written.
type settings []Setting

// of returns a setting, empty if there is none. The last of equal keys counts.
func (s settings) of(key string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].Key == key {
			return s[i].Value
		}
	}
	return ""
}

// brings returns what Spark puts on the pods of a role because of its configuration
// (spark.apache.org/docs/3.5.5/running-on-kubernetes.html#configuration).
func (c *wireConf) brings(role string) []Feature {
	var list []Feature
	for _, set := range c.onPods {
		if f, ok := broughtBy(set.Key, set.Value, role); ok {
			list = append(list, f)
		}
	}
	return list
}

func broughtBy(key, value, role string) (Feature, bool) {
	env := map[string]string{"driver": "spark.kubernetes.driverEnv.", "executor": "spark.executorEnv."}[role]
	if name, ok := strings.CutPrefix(key, env); ok {
		return Feature{Env, name}, true
	}
	if rest, ok := strings.CutPrefix(key, "spark."+role+".resource."); ok {
		name, isVendor := strings.CutSuffix(rest, ".vendor")
		return Feature{GPU, value + "/" + name}, isVendor
	}
	rest, ok := strings.CutPrefix(key, "spark.kubernetes.")
	if !ok {
		return Feature{}, false
	}
	own, isOwn := strings.CutPrefix(rest, role+".")
	if isOwn {
		rest = own
	}
	switch {
	case rest == "scheduler.name":
		return Feature{SchedulerName, value}, true
	case strings.HasPrefix(rest, "node.selector."):
		return Feature{NodeSelector, strings.TrimPrefix(rest, "node.selector.") + "=" + value}, true
	case isOwn && strings.HasPrefix(rest, "secretKeyRef."):
		return Feature{Env, strings.TrimPrefix(rest, "secretKeyRef.")}, true
	case isOwn && strings.HasPrefix(rest, "secrets."):
		return Feature{VolumeMounts, strings.TrimPrefix(rest, "secrets.") + "-volume"}, true
	case isOwn && strings.HasPrefix(rest, "volumes."):
		if parts := strings.Split(rest, "."); len(parts) > 3 {
			return Feature{VolumeMounts, parts[2]}, true
		}
	}
	return Feature{}, false
}
