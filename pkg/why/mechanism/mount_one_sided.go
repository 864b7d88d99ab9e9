package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// MountOneSided is a file that one role does not find, below a path that the spec mounts into the other role only. A file that is missing
// in a volume that both have looks alike.
type MountOneSided struct {
	File  string
	Mount GivenMount // of the other role
	Lacks cause.Role
}

// Mechanism names it.
func (MountOneSided) Mechanism() cause.ID { return "mount-one-sided" }

// GivenMount is what the spec mounts into the pods of a role.
type GivenMount struct {
	List string // of the role: secrets, configMaps, volumeMounts
	Name string // of the Secret, the ConfigMap or the volume
	Path string
}

// Is reports whether it is that of a name and a path.
func (m GivenMount) Is(name, path string) bool { return m.Name == name && m.Path == path }

// fileMissing matches a file that is not there, in the words of Java and of Python.
var fileMissing = lazyregexp.New(`(?:NoSuchFileException|FileNotFoundException|No such file or directory)[^\n/]{0,60}?(/[^\s'",:;()]+)`)

// MountedElsewhere compares what the spec mounts into the two roles, where one of them misses a file.
func MountedElsewhere(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is || about.Role == cause.SubmissionRole || v.Application == nil || v.IsConnect() {
		return cause.Cause{}, false
	}
	lacks, pod := actingPod(v, about, &failed)
	other := cause.ExecutorRole
	if lacks == cause.ExecutorRole {
		other = cause.DriverRole
	}
	for _, file := range missingFiles(&failed) {
		covers := func(m GivenMount) bool { return strings.HasPrefix(file, strings.TrimRight(m.Path, "/")+"/") }
		given := v.givenMounts(other)
		at := slices.IndexFunc(given, covers)
		if at < 0 || slices.ContainsFunc(v.givenMounts(lacks), covers) || mountsFile(pod, file) {
			continue
		}
		d := MountOneSided{File: file, Mount: given[at], Lacks: lacks}
		return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: lacks, Subject: about.Subject, At: about.At,
			Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec." + string(other) + "." + d.Mount.List,
				Value: d.Mount.Name + " at " + d.Mount.Path}}}, true
	}
	return cause.Cause{}, false
}

// missingFiles are those that the exceptions of a failure name.
func missingFiles(f *logs.Failure) []string {
	var out []string
	for _, t := range f.Chain {
		if m := fileMissing.FindStringSubmatch(t.Class + ": " + t.Message); m != nil {
			out = append(out, m[1])
		}
	}
	return out
}

// givenMounts are those of a role of a SparkApplication (buildSparkSubmitArgs in internal/controller/sparkapplication/submission.go and
// internal/webhook/sparkpod_defaulter.go@v2.5.2).
func (v *View) givenMounts(role cause.Role) []GivenMount {
	of := v.Spec.Role(string(role))
	var out []GivenMount
	for _, s := range of.Secrets {
		out = append(out, GivenMount{"secrets", s.Name, s.Path})
	}
	for _, c := range of.ConfigMaps {
		out = append(out, GivenMount{"configMaps", c.Name, c.Path})
	}
	for i := range of.VolumeMounts {
		out = append(out, GivenMount{"volumeMounts", of.VolumeMounts[i].Name, of.VolumeMounts[i].MountPath})
	}
	return out
}

// mountsFile reports whether the main container of a pod has a volume mounted above a file.
func mountsFile(pod *corev1.Pod, file string) bool {
	c := mainContainer(pod)
	return c != nil && slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool {
		return strings.HasPrefix(file, strings.TrimRight(m.MountPath, "/")+"/")
	})
}
