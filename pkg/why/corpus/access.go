package corpus

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// accessOf is what roles and bindings among the objects let service accounts do; nil: there is no binding. What the command reads of them
// are records, which FromObjects does not make.
func accessOf(objects []unstructured.Unstructured) *spark.Access {
	b := snapshot.NewBuilder(time.Time{})
	b.FromFiles(false)
	for _, v := range []snapshot.View{snapshot.Roles, snapshot.ClusterRoles, snapshot.RoleBindings, snapshot.ClusterRoleBindings} {
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
	if access := spark.AccessOf(b.Seal()); !access.NothingSeen() {
		return access
	}
	return nil
}
