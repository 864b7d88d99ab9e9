package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// keys are about a key that a Secret lacks, where it has one that is nearly the same, or only one: each variable of the spec that asks for
// it. A variable under env has its value from a list, which is not kept in full.
func keys(v *mechanism.View, a mechanism.Absent, has []string) []Change {
	object, prefix := owner(v)
	near := spelling.Nearest(a.Key, has, spelling.Few)
	if a.Kind != "Secret" || object.Name == "" || len(near) == 0 || !spelling.Slip(a.Key, near[0]) {
		return nil
	}
	var out []Change
	for _, role := range []string{"driver", "executor"} {
		for _, ref := range v.Spec.Role(role).EnvSecretKeyRefs {
			if ref.Secret == a.Name && ref.Key == a.Key {
				out = append(out, Change{Object: object, Path: below(prefix, role, "envSecretKeyRefs", ref.Variable, "key"), From: a.Key,
					To: near[0], Because: NearKey{Secret: a.Name}})
			}
		}
	}
	return out
}
