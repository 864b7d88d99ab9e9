package change

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// unnamed is the service account of a driver that nothing names, where one of the namespace may run executors: the one that a setting
// means, else the only one. The server of a SparkConnect has that of its template (api/v1alpha1/sparkconnect_types.go@v2.5.2, ServerSpec),
// which the API server keeps as it is written (PreserveUnknownFields).
func unnamed(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.AccountDenied)
	object, prefix := owner(v)
	if !is || d.Unset == "" || d.Allowed || object.Name == "" {
		return nil
	}
	at := slices.IndexFunc(d.Able, func(a mechanism.Able) bool { return a.Account == d.Ignored })
	if at < 0 && len(d.Able) == 1 {
		at = 0
	}
	if at < 0 {
		return nil
	}
	able := d.Able[at]
	path := below(prefix, "driver", "serviceAccount")
	if v.IsConnect() {
		path = below(prefix, "server", "template", "spec", "serviceAccountName")
	}
	because := RunsExecutors{Kind: able.Binding.Kind, Binding: able.Binding.Name, Meant: able.Account == d.Ignored}
	return []Change{{Object: object, Path: path, Implied: snapshot.DefaultAccount, To: able.Account, Because: because}}
}
