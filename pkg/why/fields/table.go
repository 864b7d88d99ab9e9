package fields

import "strings"

// row is what a field is called. The first name is also its placeholder.
type row struct{ application, submit, connect string }

// scheduled is the field in the template of a schedule (spec.template of api/v1beta2/scheduledsparkapplication_types.go@v2.5.2).
func (r *row) scheduled() string {
	switch rest, whole := strings.CutPrefix(r.application, "spec."); {
	case whole:
		return "spec.template." + rest + " of the schedule"
	case strings.HasPrefix(rest, "driver."), strings.HasPrefix(rest, "executor."):
		return "spec.template." + rest
	default:
		return rest
	}
}

// table has the settings that do what fields of an application do (docs/running-on-kubernetes.md@v3.5.5) and the options of spark-submit,
// and the fields of a SparkConnect (api/v1alpha1@v2.5.2): it has templates for most of a pod, and settings of Spark for the rest.
func table() []row {
	return []row{
		{"driver.memory", "spark.driver.memory", "spec.server.memory"},
		{"driver.memoryOverhead", "spark.driver.memoryOverhead", "limits.memory of the container in spec.server.template"},
		{"driver.cores", "spark.driver.cores", "spec.server.cores"},
		{"driver.coreRequest", "spark.kubernetes.driver.request.cores", "requests.cpu of the container in spec.server.template"},
		{"driver.coreLimit", "spark.kubernetes.driver.limit.cores", "limits.cpu of the container in spec.server.template"},
		{"driver.serviceAccount", "spark.kubernetes.authenticate.driver.serviceAccountName", "spec.server.template.spec.serviceAccountName"},
		{"driver.nodeSelector", "spark.kubernetes.driver.node.selector.*", "spec.server.template.spec.nodeSelector"},
		{"driver.affinity", "affinity in the pod template of the driver", "spec.server.template.spec.affinity"},
		{"driver.tolerations", "tolerations in the pod template of the driver", "spec.server.template.spec.tolerations"},
		{"driver.priorityClassName", "priorityClassName in the pod template of the driver", "spec.server.template.spec.priorityClassName"},
		{"executor.memory", "spark.executor.memory", "executor.memory"},
		{"executor.memoryOverhead", "spark.executor.memoryOverhead", "spark.executor.memoryOverhead"},
		{"executor.cores", "spark.executor.cores", "executor.cores"},
		{"executor.coreRequest", "spark.kubernetes.executor.request.cores", "spark.kubernetes.executor.request.cores"},
		{"executor.coreLimit", "spark.kubernetes.executor.limit.cores", "spark.kubernetes.executor.limit.cores"},
		{"executor.instances", "spark.executor.instances", "executor.instances"},
		{"executor.nodeSelector", "spark.kubernetes.executor.node.selector.*", "spec.executor.template.spec.nodeSelector"},
		{"executor.affinity", "affinity in the pod template of the executor", "spec.executor.template.spec.affinity"},
		{"executor.tolerations", "tolerations in the pod template of the executor", "spec.executor.template.spec.tolerations"},
		{"executor.priorityClassName", "priorityClassName in the pod template of the executor",
			"spec.executor.template.spec.priorityClassName"},
		{"spec.driver.serviceAccount", "spark.kubernetes.authenticate.driver.serviceAccountName",
			"spec.server.template.spec.serviceAccountName"},
		{"spec.driver.securityContext", "securityContext in the pod template of the driver", "spec.server.template.spec.securityContext"},
		{"spec.image", "spark.kubernetes.container.image", "spec.image"},
		{"spec.driver.image", "spark.kubernetes.driver.container.image", "spec.image"},
		{"spec.executor.image", "spark.kubernetes.executor.container.image", "spec.image"},
		{"spec.imagePullSecrets", "spark.kubernetes.container.image.pullSecrets", "spec.server.template.spec.imagePullSecrets"},
		{"spec.deps.jars", "spark.jars", "spark.jars in spec.sparkConf"},
		{"spec.deps.packages", "spark.jars.packages", "spark.jars.packages in spec.sparkConf"},
		{"spec.deps.pyFiles", "spark.submit.pyFiles", "spark.submit.pyFiles in spec.sparkConf"},
		{"spec.mainClass", "the option --class", "the main class"},
		{"spec.mainApplicationFile", "the file that is submitted", "the main file"},
		{"the driver", "the driver", "the server"},
		{"the executor", "the executor", "the executor"},
		{"the spec of the driver", "the spec of the driver", "spec.server.template"},
		{"the spec of the executor", "the spec of the executor", "the spec of the executor"},
	}
}
