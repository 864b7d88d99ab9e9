package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// NoMainClass is a driver that exited with the code by which spark-submit says that the main class is missing. Python may exit with any
// code. The code is CLASS_NOT_FOUND_EXIT_STATUS of core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.5.
type NoMainClass struct {
	Class string // spec.mainClass
}

// Mechanism names what was found.
func (NoMainClass) Mechanism() cause.ID { return "no-main-class" }

func noMainClass(v *View, d *exited) *cause.Cause {
	ofJVM := v.Spec.Type == "Java" || v.Spec.Type == "Scala"
	if !ofJVM || MeaningOf(d.end.Code, d.as.Reason) != ClassMissing {
		return nil
	}
	return d.likely(cause.Configuration, cause.BySpec, NoMainClass{Class: v.Spec.MainClass}, 0)
}
