package snapshot

import "strings"

// Contested is what of a specification only some releases of the operator take, or take as it is meant: of an application,
// of the template of a schedule, of a SparkConnect server, of a manifest that a workflow applies. Most have none.
type Contested struct {
	Settings      []Setting // of sparkConf, in order of the object
	PriorityClass string    // batchSchedulerOptions.priorityClassName
	NoMainFile    bool      // mainApplicationFile is missing
}

// Setting is an entry of sparkConf. Its value is kept where that decides, since tokens are among them.
type Setting struct{ Key, Value string }

// wireMainFile is mainApplicationFile.
type wireMainFile struct {
	MainFile *string `json:"mainApplicationFile"`
}

// wireContestedSpec is a specification of which nothing else is read.
type wireContestedSpec struct {
	wireMainFile
	BatchSchedulerOptions struct {
		PriorityClass string `json:"priorityClassName"`
	} `json:"batchSchedulerOptions"`
	SparkConf wireConf `json:"sparkConf"`
}

func (w *wireContestedSpec) contested() Contested {
	return Contested{Settings: w.SparkConf.contested, PriorityClass: w.BatchSchedulerOptions.PriorityClass, NoMainFile: w.MainFile == nil}
}

// namespaceSetting is the one that is refused for its value (internal/webhook/sparkconf_validator.go@v2.5.2).
const namespaceSetting = "spark.kubernetes.namespace"

// isContested reports whether some release refuses a setting of sparkConf.
func isContested(key string) bool {
	rest, ofKubernetes := strings.CutPrefix(key, "spark.kubernetes.")
	return key == "spark.master" || ofKubernetes && (rest == "namespace" || rest == "driver.master" ||
		strings.HasSuffix(rest, "container.image") || strings.HasPrefix(rest, "authenticate."))
}
