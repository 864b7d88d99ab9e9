package change

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// names are about an object that the spec names and that does not exist, where one exists that has nearly that name. Names of Secrets are
// known from files only.
func names(v *mechanism.View, c *cause.Cause) []Change {
	var kind, name string
	switch d := c.Detail.(type) {
	case mechanism.ObjectMissing:
		if d.Absent.Key != "" {
			return nil
		}
		kind, name = d.Absent.Kind, d.Absent.Name
	case mechanism.ContainerUnmade:
		if d.Absent.Key != "" {
			return keys(v, d.Absent, d.Has)
		}
		kind, name = d.Absent.Kind, d.Absent.Name
	case mechanism.ImagePull:
		return pullSecret(v, &d)
	case mechanism.ClaimMissing:
		kind, name = "PersistentVolumeClaim", d.Claim
	default:
		return nil
	}
	near := spelling.Nearest(name, known(v, kind), spelling.Few)
	if len(near) != 1 || !spelling.Slip(name, near[0]) {
		return nil
	}
	return renamed(v, kind, name, near[0])
}

// known are the names of a kind that were seen in the namespace.
func known(v *mechanism.View, kind string) []string {
	var out []string
	switch kind {
	case "ConfigMap":
		return app.NamesOf(v.ConfigMaps)
	case "Secret":
		return app.NamesOf(v.Secrets)
	case "PersistentVolumeClaim":
		for i := range v.Claims {
			out = append(out, v.Claims[i].Name)
		}
	}
	return out
}

// renamed is the one place where the spec names an object, with another name; nothing: several do, or a place that is not listed here.
func renamed(v *mechanism.View, kind, name, to string) []Change {
	object, prefix := owner(v)
	if object.Name == "" {
		return nil
	}
	because := NearName{Kind: kind, Absent: name}
	var out []Change
	if volumes := slices.Clone(v.Spec.Volumes); renameIn(volumes, kind, name, to) {
		out = append(out, Change{Object: object, Path: below(prefix, "volumes"), From: v.Spec.Volumes, To: volumes, Because: because,
			Item: &Item{At: "[" + kind + "]", From: name, To: to}})
	}
	if kind != "ConfigMap" {
		return out
	}
	if v.Spec.SparkConfigMap == name {
		out = append(out, Change{Object: object, Path: below(prefix, "sparkConfigMap"), From: name, To: to, Because: because})
	}
	for _, role := range []string{"driver", "executor"} {
		is := func(m app.Mount) bool { return m.Name == name }
		now := v.Spec.Role(role).ConfigMaps
		if !slices.ContainsFunc(now, is) {
			continue
		}
		next := slices.Clone(now)
		next[slices.IndexFunc(next, is)].Name = to
		out = append(out, Change{Object: object, Path: below(prefix, role, "configMaps"), From: now, To: next, Because: because,
			Item: &Item{At: "[" + name + "].name", From: name, To: to}})
	}
	return out
}

// renameIn gives volumes of an object another name of it, and reports whether there are any.
func renameIn(volumes []corev1.Volume, kind, name, to string) bool {
	found := false
	for i := range volumes {
		one := &volumes[i]
		switch {
		case kind == "ConfigMap" && one.ConfigMap != nil && one.ConfigMap.Name == name:
			one.ConfigMap = one.ConfigMap.DeepCopy()
			one.ConfigMap.Name, found = to, true
		case kind == "Secret" && one.Secret != nil && one.Secret.SecretName == name:
			one.Secret = one.Secret.DeepCopy()
			one.Secret.SecretName, found = to, true
		case kind == "PersistentVolumeClaim" && one.PersistentVolumeClaim != nil && one.PersistentVolumeClaim.ClaimName == name:
			one.PersistentVolumeClaim = one.PersistentVolumeClaim.DeepCopy()
			one.PersistentVolumeClaim.ClaimName, found = to, true
		}
	}
	return found
}
