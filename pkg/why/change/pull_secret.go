package change

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// pullSecret is a pull secret that the spec names and that does not exist, where the namespace has one with nearly that name.
func pullSecret(v *mechanism.View, d *mechanism.ImagePull) []Change {
	object, prefix := owner(v)
	if len(d.SecretsGone) != 1 || object.Name == "" || v.IsConnect() {
		return nil
	}
	gone := d.SecretsGone[0]
	at := slices.Index(v.Spec.ImagePullSecrets, gone)
	near := spelling.Nearest(gone, d.Known, spelling.Few)
	if at < 0 || len(near) != 1 || !spelling.Slip(gone, near[0]) {
		return nil
	}
	next := slices.Clone(v.Spec.ImagePullSecrets)
	next[at] = near[0]
	return []Change{{Object: object, Path: below(prefix, "imagePullSecrets"), From: v.Spec.ImagePullSecrets, To: next,
		Because: NearName{Kind: "Secret", Absent: gone}, Item: &Item{From: gone, To: near[0]}}}
}
