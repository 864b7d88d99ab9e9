package change

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// HasCharacters is a locale whose encoding has all characters.
type HasCharacters struct{}

func (HasCharacters) reason() {}

const (
	allLocale = "LC_ALL"
	// plainUTF8 is a locale of the C library itself in musl and from glibc 2.35 on, and of the base images of Debian, Ubuntu and Red Hat.
	plainUTF8 = "C.UTF-8"
)

// locale gives a process a locale that images have, and the other role, too, where it has the same image and the same variable. A list of
// variables is written again as a whole, so that it must be known as a whole.
func locale(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.LocaleUnfit)
	object, prefix := owner(v)
	if !is || object.Name == "" || v.IsConnect() {
		return nil
	}
	now, known := localeIn(v, d.Role)
	if !known || now != d.Variable+"="+d.Value {
		return nil // the pod has it from elsewhere
	}
	roles := []cause.Role{d.Role}
	for _, other := range []cause.Role{cause.DriverRole, cause.ExecutorRole} {
		same, known := localeIn(v, other)
		if other != d.Role && known && same == now && v.SameImage() {
			roles = append(roles, other)
		}
	}
	out := make([]Change, 0, len(roles))
	for _, role := range roles {
		of := v.Spec.Role(string(role))
		to := slices.Clone(of.EnvWhole)
		at := slices.IndexFunc(to, func(e corev1.EnvVar) bool { return e.Name == allLocale })
		one := Change{Object: object, Path: below(prefix, string(role), "env"), Because: HasCharacters{}}
		if len(to) > 0 {
			one.From = of.EnvWhole
		}
		if at < 0 {
			to = append(to, corev1.EnvVar{Name: allLocale, Value: plainUTF8})
			one.Item = &Item{To: allLocale + "=" + plainUTF8}
		} else {
			one.Item = &Item{At: "[" + allLocale + "].value", From: to[at].Value, To: plainUTF8}
			to[at] = corev1.EnvVar{Name: allLocale, Value: plainUTF8}
		}
		one.To = to
		out = append(out, one)
	}
	return out
}

// localeIn is the variable that counts of those that the spec gives to a role, and its value: "=" where there is none; false: the list is
// not known as a whole, or a template of pods may add to it.
func localeIn(v *mechanism.View, role cause.Role) (string, bool) {
	of := v.Spec.Role(string(role))
	if len(of.EnvWhole) != len(of.Env) || len(of.EnvFrom) > 0 || len(of.Template.Containers) > 0 {
		return "", false
	}
	for _, name := range []string{allLocale, "LC_CTYPE", "LANG"} {
		if at := slices.IndexFunc(of.EnvWhole, func(e corev1.EnvVar) bool { return e.Name == name }); at >= 0 {
			return name + "=" + of.EnvWhole[at].Value, of.EnvWhole[at].Value != ""
		}
	}
	return "=", true
}
