package change

import (
	"cmp"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// oneImage lets executors run the driver's image, where the spec gives them another one. The image of a role goes before that of the
// application (driverConfOption and executorConfOption of internal/controller/sparkapplication/submission.go@v2.5.2).
func oneImage(v *mechanism.View) []Change {
	object, prefix := owner(v)
	own, driver := v.Spec.Executor.Image, cmp.Or(v.Spec.Driver.Image, v.Spec.Image)
	if object.Name == "" || driver == "" || cmp.Or(own, v.Spec.Image) == driver {
		return nil
	}
	c := Change{Object: object, Path: below(prefix, "executor", "image"), Because: Told{}}
	if own != "" {
		c.From = own
	} else {
		c.Implied = v.Spec.Image
	}
	if v.Spec.Driver.Image != "" {
		c.To = driver // without one of its own it would have that of the application
	}
	return []Change{c}
}
