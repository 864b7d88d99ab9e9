package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// identity lets pods act as their service account says, where the spec itself keeps them from it.
func identity(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.ActedAs)
	object, prefix := owner(v)
	switch {
	case !is || object.Name == "":
		return nil
	case d.Setting != (mechanism.Setting{}) && !d.Tokenless:
		reads := mechanism.TokenProvider(d.Bundled)
		return []Change{{Object: object, Path: below(prefix, d.Setting.In, d.Setting.Key), From: d.Providers, To: reads,
			Because: ReadsToken{Class: reads, Account: d.Account}}}
	case d.Driver != "" && v.Spec.Executor.ServiceAccount == d.Account:
		return []Change{{Object: object, Path: below(prefix, "executor", "serviceAccount"), From: d.Account, To: d.Driver,
			Because: HasRole{Role: d.DriverValue}}}
	default:
		return nil
	}
}
