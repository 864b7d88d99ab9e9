package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// identity lets pods act as their service account says, where the spec itself keeps them from it.
func identity(v *mechanism.View, c *cause.Cause) []Change {
	if d, is := c.Detail.(mechanism.IdentityOneSided); is {
		return oneSided(v, &d)
	}
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

// oneSided gives executors what the driver has: its service account, or the label of its pod.
func oneSided(v *mechanism.View, d *mechanism.IdentityOneSided) []Change {
	object, prefix := owner(v)
	switch {
	case d.Label != "" && object.Name != "" && !v.IsConnect():
		c := Change{Object: object, Path: below(prefix, "executor", "labels", d.Label), To: d.Value, Because: DriverHas{}}
		return []Change{c}
	case d.Label != "":
		return []Change{set(v, field{setting: "spark.kubernetes.executor.label." + d.Label}, d.Value, DriverHas{})}
	case d.Driver != "":
		account := field{cause.ExecutorRole, "serviceAccount", "spark.kubernetes.authenticate.executor.serviceAccountName", d.Account}
		c := set(v, account, d.Driver, HasRole{Role: d.Role})
		c.Implied = d.Account // whatever a setting says that the operator does not pass on
		return []Change{c}
	default:
		return nil
	}
}
