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

// wireReleaseDependentRole is what is read of spec.driver or spec.executor with it.
type wireReleaseDependentRole struct {
	Template      jsontext.Value `json:"template"`
	PriorityClass string         `json:"priorityClassName"`
	Account       string         `json:"serviceAccount"`
}

// wireReleaseDependentSpec is a specification of which nothing else is read.
type wireReleaseDependentSpec struct {
	wireMainFile
	Driver                wireReleaseDependentRole `json:"driver"`
	Executor              wireReleaseDependentRole `json:"executor"`
	BatchSchedulerOptions struct {
		PriorityClass string `json:"priorityClassName"`
	} `json:"batchSchedulerOptions"`
	SparkConf wireConf `json:"sparkConf"`
}

func (w *wireReleaseDependentSpec) releaseDependent() snapshot.ReleaseDependentFields {
	return snapshot.ReleaseDependentFields{
		Settings: w.SparkConf.settings, BatchPriorityClass: w.BatchSchedulerOptions.PriorityClass,
		DriverPriority: w.Driver.PriorityClass != "", ExecutorPriority: w.Executor.PriorityClass != "", NoMainFile: w.MainFile == nil,
	}
}

// namespaceSetting is the one that is refused for its value (internal/webhook/sparkconf_validator.go@v2.5.2).
const namespaceSetting = "spark.kubernetes.namespace"

// dependsOnRelease reports whether some release refuses or overrides a setting of sparkConf.
func dependsOnRelease(key string) bool {
	rest, ofKubernetes := strings.CutPrefix(key, "spark.kubernetes.")
	if !ofKubernetes {
		return key == "spark.master" || key == "spark.ui.proxyBase"
	}
	return rest == "namespace" || rest == "driver.master" || strings.HasSuffix(rest, "container.image") ||
		strings.HasSuffix(rest, ".podTemplateFile") || strings.HasPrefix(rest, "authenticate.")
}

// wireConf is spec.sparkConf.
type wireConf struct {
	snapshot.SparkConf
	settings []snapshot.Setting
}

// UnmarshalJSONFrom keeps the settings that checks read and skips the others.
func (c *wireConf) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return rawMembers(dec, func(raw []byte) error {
		if !isRead(raw) {
			return dec.SkipValue()
		}
		name := string(raw)
		switch name {
		case "spark.kubernetes.driver.pod.name":
			return json.UnmarshalDecode(dec, &c.DriverPodName)
		case namespaceSetting:
			err := json.UnmarshalDecode(dec, &c.Namespace)
			c.settings = append(c.settings, snapshot.Setting{Key: namespaceSetting, Value: c.Namespace})
			return err
		case dynamicAllocation + "enabled":
			var value string
			err := json.UnmarshalDecode(dec, &value)
			c.DynamicAllocation = strings.EqualFold(value, "true")
			return err
		}
		if number := c.number(name); number != nil {
			var err error
			*number, err = readCount(dec)
			return err
		}
		value, err := dec.ReadValue()
		text, unquoted := jsontext.AppendUnquote(nil, value)
		switch {
		case unquoted == nil && decides(name):
			c.settings = append(c.settings, snapshot.Setting{Key: name, Value: string(text)})
		case unquoted == nil && brings(name), dependsOnRelease(name):
			c.settings = append(c.settings, snapshot.Setting{Key: name})
		}
		return err
	})
}

// isRead reports whether anything about a setting is kept. Most settings are none of ours.
func isRead(key []byte) bool {
	return bytes.HasPrefix(key, []byte("spark.kubernetes.")) || bytes.HasPrefix(key, []byte("spark.executorEnv.")) ||
		bytes.Contains(key, []byte(".resource.")) ||
		string(key) == "spark.master" || string(key) == "spark.ui.proxyBase" || string(key) == "spark.executor.instances" ||
		bytes.HasPrefix(key, []byte(dynamicAllocation))
}

// brings reports whether Spark puts something on pods for a setting, which its key names.
func brings(key string) bool {
	rest := strings.TrimPrefix(key, "spark.kubernetes.")
	if strings.HasPrefix(key, "spark.executorEnv.") || strings.HasPrefix(rest, "driverEnv.") {
		return true
	}
	own := strings.TrimPrefix(strings.TrimPrefix(rest, "driver."), "executor.")
	if own == rest {
		return false
	}
	return strings.HasPrefix(own, "secretKeyRef.") || strings.HasPrefix(own, "secrets.") || strings.HasPrefix(own, "volumes.")
}

// decides reports whether it matters what a setting is set to; values of others may be secret.
func decides(key string) bool {
	switch rest := strings.TrimPrefix(key, "spark.kubernetes."); rest {
	case "executor.disableConfigMap", "executor.enableApiWatcher", "allocation.pods.allocator", "authenticate.driver.serviceAccountName":
		return true
	default:
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "driver."), "executor.")
		if strings.Contains(key, ".resource.") && strings.HasSuffix(key, ".vendor") {
			return true
		}
		return rest == "scheduler.name" || strings.HasPrefix(rest, "node.selector.") || strings.HasSuffix(rest, ".options.claimName")
	}
}
