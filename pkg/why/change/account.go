package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// account is a service account of the driver that does not exist, where the namespace has one for workloads, or one with nearly that name.
func account(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.SubmissionRefused)
	object, prefix := owner(v)
	if !is || d.Account == "" || object.Name == "" || v.IsConnect() {
		return nil
	}
	to := d.Accounts
	if len(to) > 1 {
		if to = spelling.Nearest(d.Account, to, spelling.Few); len(to) > 0 && !spelling.Slip(d.Account, to[0]) {
			return nil
		}
	}
	if len(to) != 1 {
		return nil
	}
	const setting = "spark.kubernetes.authenticate.driver.serviceAccountName"
	out := Change{Object: object, From: d.Account, To: to[0], Because: NearName{Kind: "ServiceAccount", Absent: d.Account}}
	switch d.Account {
	case v.Spec.Driver.ServiceAccount:
		out.Path = below(prefix, "driver", "serviceAccount")
	case v.Spec.Conf[setting]:
		out.Path = below(prefix, "sparkConf", setting)
	default:
		return nil
	}
	return []Change{out}
}
