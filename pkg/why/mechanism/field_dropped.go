package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// FieldDropped is a field of the spec that the API server did not keep when the application was applied, as its CRD does not know it: Helm
// leaves CRDs as they are when it upgrades a release. It explains a variable or a file that the pod lacks and the field names, and a pod
// that no node takes for a taint or a label that the field is about. A field that was removed later looks alike: then the spec has another
// generation (package snapshot/whole).
type FieldDropped struct {
	Path   string // below spec
	CRD    string
	Source Source // Secret or ConfigMap that the field names, and that has the variable; zero: the field itself names it
	Key    string
}

// Mechanism names it.
func (FieldDropped) Mechanism() cause.ID { return "field-dropped" }

// DroppedFor finds the field that would have kept a failure away.
func DroppedFor(v *View, about *cause.Cause) (cause.Cause, bool) {
	if v.Application == nil {
		return cause.Cause{}, false
	}
	for _, d := range v.Application.Dropped {
		from, key := heldFor(v, &d, about)
		if from == (Source{}) && !wouldHelp(&d, about) {
			continue
		}
		return cause.Cause{Class: cause.Configuration, Role: about.Role, Certainty: check.Likely, Trust: cause.BySpec, Subject: v.AppRef(),
			At:     v.Application.CreationTimestamp.UTC(),
			Detail: FieldDropped{Path: d.Path, Source: from, Key: key, CRD: strings.ToLower(v.AppRef().Kind) + "s.sparkoperator.k8s.io"},
			Evidence: []cause.Proof{{Object: v.AppRef(), Field: "annotation last-applied-configuration",
				Value: "has spec." + d.Path}, {Object: v.AppRef(), Field: "spec." + d.Path, Value: "not set"}}}, true
	}
	return cause.Cause{}, false
}

// heldFor is the Secret or ConfigMap that a field names for envFrom, and that has the variable which a program misses. Whether one that was
// not read has it, is not known.
func heldFor(v *View, d *app.Dropped, about *cause.Cause) (Source, string) {
	failed, is := about.Detail.(logs.Failure)
	role, _, ofRole := strings.Cut(d.Path, ".")
	otherRole := ofRole && about.Role != "" && role != string(about.Role)
	if !is || failed.Absent.Name == "" || otherRole || !slices.Contains(d.Names, "envFrom") {
		return Source{}, ""
	}
	for _, of := range []struct {
		kind, ref string
		list      []app.Keyed
	}{{"Secret", "secretRef", v.Secrets}, {"ConfigMap", "configMapRef", v.ConfigMaps}} {
		for _, one := range of.list {
			if slices.Contains(d.Names, of.ref) && slices.Contains(d.Names, one.Name) && slices.Contains(one.Keys, failed.Absent.Name) {
				return Source{Kind: of.kind, Name: one.Name}, failed.Absent.Name
			}
		}
	}
	return Source{}, ""
}

// wouldHelp reports whether a field is about what a failure is for want of.
func wouldHelp(d *app.Dropped, about *cause.Cause) bool {
	role, _, ofRole := strings.Cut(d.Path, ".")
	if ofRole && role != string(about.Role) && about.Role != "" {
		return false
	}
	names := func(want string) bool { return slices.Contains(d.Names, want) }
	switch detail := about.Detail.(type) {
	case Unschedulable:
		return slices.ContainsFunc([]string{"tolerations", "nodeSelector", "affinity"}, func(field string) bool {
			return names(field) || strings.HasSuffix(d.Path, field)
		})
	case logs.Failure:
		if detail.Absent.Name != "" && names(detail.Absent.Name) {
			return true
		}
		return slices.ContainsFunc(d.Names, func(name string) bool {
			return strings.HasPrefix(name, "/") && slices.ContainsFunc(detail.Absent.Paths, func(path string) bool {
				return path == name || strings.HasPrefix(path, strings.TrimSuffix(name, "/")+"/")
			})
		})
	default:
		return false
	}
}
