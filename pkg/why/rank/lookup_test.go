package rank

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestFieldsBesideAVerdictAreDecoded: a shown field that is not decoded would never appear.
func TestFieldsBesideAVerdictAreDecoded(t *testing.T) {
	var paths []specField
	for _, class := range cause.Classes() {
		for _, topics := range []cause.Topics{0, cause.Memory} {
			for _, role := range []cause.Role{cause.DriverRole, cause.ExecutorRole} {
				a := &Answer{Cause: cause.Cause{Class: class, Topics: topics}}
				paths = slices.Concat(paths, fieldsFor(a, role), commonFields(&a.Cause, role))
			}
		}
	}
	require.Greater(t, len(paths), 100)
	for _, one := range paths {
		for _, connect := range []bool{false, true} {
			of := one.path(connect)
			o := &unstructured.Unstructured{Object: map[string]any{}}
			require.NoError(t, unstructured.SetNestedField(o.Object, "as it stands", append([]string{"spec"}, strings.Split(of, ".")...)...))
			require.Equal(t, map[string]string{of: "as it stands"}, app.Decode(o).Spec.Shown)
		}
	}
}
