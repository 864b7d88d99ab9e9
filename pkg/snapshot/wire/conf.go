package wire

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// wireMainFile is mainApplicationFile.
type wireMainFile struct {
	MainFile *string `json:"mainApplicationFile"`
}

// wireContestedRole is what is read of spec.driver or spec.executor with it.
type wireContestedRole struct {
	Template      jsontext.Value `json:"template"`
	PriorityClass string         `json:"priorityClassName"`
	Account       string         `json:"serviceAccount"`
}

// wireContestedSpec is a specification of which nothing else is read.
type wireContestedSpec struct {
	wireMainFile
	Driver                wireContestedRole `json:"driver"`
	Executor              wireContestedRole `json:"executor"`
	BatchSchedulerOptions struct {
		PriorityClass string `json:"priorityClassName"`
	} `json:"batchSchedulerOptions"`
	SparkConf wireConf `json:"sparkConf"`
}

func (w *wireContestedSpec) contested() snapshot.Contested {
	c := snapshot.Contested{Settings: w.SparkConf.contested, NoMainFile: w.MainFile == nil}
	if w.Driver.PriorityClass == "" || w.Executor.PriorityClass == "" {
		c.PriorityClass = w.BatchSchedulerOptions.PriorityClass
	}
	return c
}

// namespaceSetting is the one that is refused for its value (internal/webhook/sparkconf_validator.go@v2.5.2).
const namespaceSetting = "spark.kubernetes.namespace"

// isContested reports whether some release refuses a setting of sparkConf.
func isContested(key string) bool {
	rest, ofKubernetes := strings.CutPrefix(key, "spark.kubernetes.")
	return key == "spark.master" || ofKubernetes && (rest == "namespace" || rest == "driver.master" ||
		strings.HasSuffix(rest, "container.image") || strings.HasPrefix(rest, "authenticate."))
}

// wireConf is spec.sparkConf, with the settings by which Spark itself puts something on pods.
type wireConf struct {
	snapshot.SparkConf
	onPods    settings
	contested []snapshot.Setting
}

// UnmarshalJSONFrom keeps the settings that checks read and skips the others.
func (c *wireConf) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return rawMembers(dec, func(raw []byte) error {
		if !isRead(raw) {
			return dec.SkipValue()
		}
		name := string(raw)
		if isContested(name) && name != namespaceSetting {
			c.contested = append(c.contested, snapshot.Setting{Key: name})
		}
		switch name {
		case "spark.kubernetes.driver.pod.name":
			return json.UnmarshalDecode(dec, &c.DriverPodName)
		case namespaceSetting:
			err := json.UnmarshalDecode(dec, &c.Namespace)
			c.contested = append(c.contested, snapshot.Setting{Key: namespaceSetting, Value: c.Namespace})
			return err
		case "spark.dynamicAllocation.enabled":
			var value string
			err := json.UnmarshalDecode(dec, &value)
			c.DynamicAllocation = strings.EqualFold(value, "true")
			return err
		}
		value, err := dec.ReadValue()
		if text, unquoted := jsontext.AppendUnquote(nil, value); unquoted == nil {
			c.onPods = append(c.onPods, snapshot.Setting{Key: name, Value: string(text)})
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
type settings []snapshot.Setting

// of returns a setting, empty if there is none. The last of equal keys counts.
func (s settings) of(key string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].Key == key {
			return s[i].Value
		}
	}
	return ""
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
