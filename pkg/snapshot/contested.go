package snapshot

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Contested is what of a specification only some releases of the operator take, or take as it is meant: of an application,
// of the template of a schedule, of a SparkConnect server, of a manifest that a workflow applies. Most have none.
type Contested struct {
	Settings      []Setting // of sparkConf, in order of the object
	PriorityClass string    // batchSchedulerOptions.priorityClassName, unless driver and executor have one each of their own
	NoMainFile    bool      // mainApplicationFile is missing
}

// Setting is an entry of sparkConf. Its value is kept where that decides, since tokens are among them.
type Setting struct{ Key, Value string }

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

func (w *wireContestedSpec) contested() Contested {
	c := Contested{Settings: w.SparkConf.contested, NoMainFile: w.MainFile == nil}
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
