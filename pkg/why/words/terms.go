package words

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Runner is what an application is started by: each calls the same fields otherwise.
type Runner int

// The runners.
const (
	ByApplication Runner = iota // a SparkApplication: advice is written in its fields
	BySubmit                    // another than our operator started it: settings of Spark
	ByConnect                   // a SparkConnect
)

// InTerms puts advice into the words of what an application is started by.
func InTerms(of Runner, phrases ...*Phrase) {
	var fields *strings.Replacer
	switch of {
	case ByConnect:
		fields = connectFields()
	case BySubmit:
		fields = settingsOfSpark()
	default:
		return
	}
	for _, p := range phrases {
		for i := range p.Do {
			p.Do[i].Text = fields.Replace(p.Do[i].Text)
		}
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

// Recreation is how a server takes a new spec: the operator creates its pod, and does not change one that exists (mutateServerPod in
// internal/controller/sparkconnect/reconciler.go@v2.5.2).
type Recreation struct {
	Pod     snapshot.Ref
	Changed time.Time // of the spec, since the pod was created; zero: it has the spec as it is
	Now     bool      // it is all that is to be done
}

// Recreate adds to the words about a server that its pod is to be created anew.
func Recreate(p *Phrase, r Recreation) {
	next := command.Do("after a change of the spec, delete the server pod: the operator creates it again, and changes none that exists").
		With("kubectl -n %s delete pod %s", r.Pod.Namespace, r.Pod.Name)
	if !r.Changed.IsZero() {
		p.Says += "; the SparkConnect was changed at " + r.Changed.UTC().Format(time.TimeOnly) +
			", after this pod was created, and the pod does not have the change"
	}
	if !r.Now && r.Changed.IsZero() {
		p.Do = append(p.Do, next)
		return
	}
	next.Text = "delete the server pod: the operator creates it again, from the spec as it is now"
	p.Do = append([]command.Command{next}, p.Do...)
}
