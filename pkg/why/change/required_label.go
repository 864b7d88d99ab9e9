package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// AsDriver is the value that the driver's pod has, which the same policy let pass.
type AsDriver struct{ Label string }

func (AsDriver) reason() {}

// requiredLabel gives executors the label that a policy asks for, with the value of the driver.
func requiredLabel(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.LabelRequired)
	if !is || d.Driver == "" || d.Set != "" || v.IsConnect() {
		return nil
	}
	one := Change{Path: []string{"spark.kubernetes.executor.label." + d.Key}, To: d.Driver, Because: AsDriver{d.Key}}
	if object, prefix := owner(v); object.Name != "" {
		one.Object, one.Path = object, below(prefix, "executor", "labels", d.Key)
	}
	return []Change{one}
}
