package corpus

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// recorded are the objects of some views, as the records that the command reads of them. FromObjects makes none.
func recorded(objects []unstructured.Unstructured, views ...snapshot.View) *snapshot.Snapshot {
	b := snapshot.NewBuilder(time.Time{})
	b.FromFiles(false)
	for _, v := range views {
		src, _ := snapshot.SourceOf(v)
		for i := range objects {
			if objects[i].GetKind() != src.Kind || objects[i].GetAPIVersion() != src.APIVersion() {
				continue
			}
			raw, err := objects[i].MarshalJSON()
			if err != nil {
				continue // as a file that does not decode
			}
			if record, err := wire.Decode(src, wire.Item{Encoding: snapshot.JSON, Raw: raw}); err == nil && record != nil {
				b.Add(v, record)
			}
		}
	}
	return b.Seal()
}

// trustOf are the webhooks among the objects, and the certificates that the API server trusts when it calls them.
func trustOf(objects []unstructured.Unstructured) []app.Trusted {
	return app.TrustedBy(recorded(objects, snapshot.MutatingWebhooks, snapshot.ValidatingWebhooks, snapshot.WebhookSecrets))
}

// accessOf is what roles and bindings among the objects let service accounts do; nil: there is no binding.
func accessOf(objects []unstructured.Unstructured) *spark.Access {
	access := spark.AccessOf(recorded(objects, snapshot.Roles, snapshot.ClusterRoles, snapshot.RoleBindings, snapshot.ClusterRoleBindings))
	if access.NothingSeen() {
		return nil
	}
	return access
}
