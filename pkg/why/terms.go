package why

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// inTerms puts next steps into the words of what was asked for: a SparkConnect has other fields than an application, and what another than
// our operator started has settings of Spark.
func inTerms(v *mechanism.View, causes []cause.Cause) {
	var fields *strings.Replacer
	switch {
	case v.IsConnect():
		fields = connectFields()
	case v.Subject.Kind == "Pod" && v.Application == nil:
		fields = settingsOfSpark()
	default:
		return
	}
	for i := range causes {
		for k := range causes[i].Next {
			causes[i].Next[k].Text = fields.Replace(causes[i].Next[k].Text)
		}
	}
	if len(causes) > 0 && v.IsConnect() {
		submitAgain(v, &causes[0])
	}
}

// settingsOfSpark are those that do what fields of an application do (docs/running-on-kubernetes.md@v3.5.5), and options of
// spark-submit.
func settingsOfSpark() *strings.Replacer {
	var pairs []string
	for _, role := range []string{"driver", "executor"} {
		of := "spark.kubernetes." + role + "."
		for _, known := range []string{"spark." + role + ".", of, "spark.kubernetes.authenticate." + role + "."} {
			pairs = append(pairs, known, known)
		}
		pairs = append(pairs,
			"spec."+role+".serviceAccount", "spark.kubernetes.authenticate."+role+".serviceAccountName",
			"spec."+role+".securityContext", "securityContext in the pod template of the "+role,
			role+".serviceAccount", "spark.kubernetes.authenticate."+role+".serviceAccountName",
			role+".memoryOverhead", "spark."+role+".memoryOverhead", role+".memory", "spark."+role+".memory",
			role+".coreRequest", of+"request.cores", role+".coreLimit", of+"limit.cores", role+".cores", "spark."+role+".cores",
			role+".nodeSelector", of+"node.selector.*", role+".instances", "spark."+role+".instances",
			role+".affinity", "affinity in the pod template of the "+role, role+".tolerations", "tolerations in the pod template of the "+role,
			role+".priorityClassName", "priorityClassName in the pod template of the "+role,
		)
	}
	pairs = append(pairs, "spec.imagePullSecrets", "spark.kubernetes.container.image.pullSecrets", "spec.image",
		"spark.kubernetes.container.image",
		"spec.deps.packages", "spark.jars.packages", "spec.deps.jars", "spark.jars", "spec.deps.pyFiles", "spark.submit.pyFiles",
		"spec.mainClass", "the option --class", "spec.mainApplicationFile", "the file that is submitted",
		"a restartPolicy OnFailure does so by itself", "what submits it may do so")
	return strings.NewReplacer(pairs...)
}

// connectFields are those of api/v1alpha1@v2.5.2: for most of a pod it has templates, for the rest settings of Spark. The longest of
// those that begin alike come first.
func connectFields() *strings.Replacer {
	const server, executor = "spec.server.template.spec.", "spec.executor.template.spec."
	return strings.NewReplacer(
		"driver.memory, driver.memoryOverhead, driver.cores, driver.coreLimit", "resources of the container in spec.server.template",
		"driver.memory and driver.memoryOverhead, driver.cores and driver.coreLimit", "resources of the container in spec.server.template",
		"driver.cores or driver.coreRequest, driver.memory, driver.memoryOverhead", "resources of the container in spec.server.template",
		"spec.driver.serviceAccount", server+"serviceAccountName", "spec.driver.securityContext", server+"securityContext",
		"driver.serviceAccount", server+"serviceAccountName", "driver.priorityClassName", server+"priorityClassName",
		"driver.nodeSelector", server+"nodeSelector", "driver.affinity", server+"affinity", "driver.tolerations", server+"tolerations",
		"driver.coreLimit", "limits.cpu of the container in spec.server.template",
		"driver.memoryOverhead", "limits.memory of the container in spec.server.template",
		"spark.driver.", "spark.driver.", "driver.memory", "spec.server.memory", "driver.cores", "spec.server.cores",
		"executor.coreRequest", "spark.kubernetes.executor.request.cores", "executor.coreLimit", "spark.kubernetes.executor.limit.cores",
		"spark.executor.", "spark.executor.", "spark.kubernetes.executor.", "spark.kubernetes.executor.", "spec.executor.", "spec.executor.",
		"executor.memoryOverhead", "spark.executor.memoryOverhead", "executor.priorityClassName", executor+"priorityClassName",
		"executor.nodeSelector", executor+"nodeSelector", "executor.affinity", executor+"affinity",
		"executor.tolerations", executor+"tolerations",
		"spec.deps.packages", "spark.jars.packages in spec.sparkConf", "spec.deps.jars", "spark.jars in spec.sparkConf",
		"spec.imagePullSecrets", server+"imagePullSecrets", "the spec of the driver", "spec.server.template", "for the driver", "for the server",
	)
}

// submitAgain adds that a server takes a new spec only when its pod is created: the operator does not change one that exists
// (mutateServerPod in internal/controller/sparkconnect/reconciler.go@v2.5.2).
func submitAgain(v *mechanism.View, c *cause.Cause) {
	bySpec := []cause.Class{cause.Image, cause.Configuration, cause.Dependency, cause.ClusterKilled, cause.Scheduling, cause.Storage}
	if v.Driver == nil || !slices.Contains(bySpec, c.Class) {
		return
	}
	if slices.ContainsFunc(c.Next, func(n command.Command) bool { return strings.Contains(n.Line, " delete ") }) {
		return
	}
	at, newer := v.SpecNewer()
	ended := v.Driver.Status.Phase == corev1.PodFailed || v.Driver.Status.Phase == corev1.PodSucceeded
	next := command.Do("after a change of the spec, delete the server pod: the operator creates it again, and changes none that exists")
	if newer {
		c.Message += fmt.Sprintf("; the SparkConnect was changed at %s, after this pod was created, and the pod does not have the change",
			at.UTC().Format("15:04:05"))
		c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "metadata.managedFields", Value: "spec written " +
			at.UTC().Format("15:04:05"), At: at.UTC()})
	}
	next = next.With("kubectl -n %s delete pod %s", v.Driver.Namespace, v.Driver.Name)
	if newer || ended && c.Class == cause.ClusterKilled {
		next.Text = "delete the server pod: the operator creates it again, from the spec as it is now"
		c.Next = append([]command.Command{next}, c.Next...)
		return
	}
	c.Next = append(c.Next, next)
}
