package why

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// absentFile matches what a program says of a file that is not there, and absentName of an environment variable: the words of Python
// (Lib/os.py of cpython@v3.12.4, KeyError) and of Scala and Java (java.util.NoSuchElementException of sys.env, key not found).
var (
	absentFile = regexp.MustCompile(`(?:No such file or directory|NoSuchFileException|FileNotFoundException|does not exist|not found)`)
	absentName = regexp.MustCompile(`(?:KeyError: '|key not found: |[Ee]nvironment variable '?)([A-Za-z_][A-Za-z0-9_]*)`)
	isVariable = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`) // a key of data may have small letters
	aPath      = regexp.MustCompile(`/[\w.@=+-]+(?:/[\w.@=+-]+)+`)
)

// behindWebhook explains a file or a variable that a program misses by what the spec asks for and the pod does not have: only the
// operator's webhook brings it there (internal/webhook/sparkpod_defaulter.go@v2.5.2, pkg/webhook/patch.go@spark-operator-chart-1.4.6).
func behindWebhook(v *mechanism.View, causes []cause.Cause) {
	for i := range causes {
		c := &causes[i]
		pod := subjectPod(v, c)
		if !logged(c) || !stands(c) || v.Application == nil || v.IsConnect() || pod != nil && pod.Name != c.Subject.Name {
			continue
		}
		role := map[bool]string{true: "executor", false: "driver"}[strings.Contains(c.Subject.Name, "-exec-")]
		field, what, is := neverArrived(v, pod, role, said(c))
		if !is {
			continue
		}
		if pod == nil { // it may have had it, without what the program looks for
			c.Class, c.Certainty = cause.Configuration, check.Likely
			c.Message += fmt.Sprintf("; the spec gives the %s %s, and its pod, which tells whether it got it, was not seen", role, what)
			c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: field, Value: what})
			continue
		}
		c.Class, c.Certainty, c.Signature = cause.Configuration, check.Proven, ""
		if strings.HasSuffix(field, ".envFrom") {
			c.Certainty = check.Likely // whether it is among them was not read
		}
		c.Topics |= cause.Unmutated
		c.Message = fmt.Sprintf("the %s lacks %s of the spec, since the operator's webhook did not change its pod: %s", role, what,
			c.Message)
		c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: field, Value: what},
			cause.Proof{Object: mechanism.Ref(pod), Field: "spec.containers[" + mechanism.MainName(pod) + "]", Value: "without " + what})
		c.Next = []command.Command{
			command.Do("see whether the webhook is on, and whether it can be called").With("kubectl sparkdoctor scan -n %s", v.AppRef().Namespace),
			command.Do("then run the application again"),
		}
	}
}

// neverArrived finds what the words of an error miss among what the spec gives to a role, and the pod lacks: a mount that holds the path,
// or a variable. Of a pod that was not seen, nil, it lacks all.
func neverArrived(v *mechanism.View, pod *corev1.Pod, role, words string) (field, what string, is bool) {
	container := &corev1.Container{}
	if pod != nil {
		at := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == mechanism.MainName(pod) })
		if at < 0 {
			return "", "", false
		}
		container = &pod.Spec.Containers[at]
	}
	for _, m := range listOf(v, "spec", role, "volumeMounts") {
		name, _ := m["name"].(string)
		dir, _ := m["mountPath"].(string)
		has := func(m corev1.VolumeMount) bool { return path.Clean(m.MountPath) == path.Clean(dir) || m.Name == name }
		if dir != "" && absentFile.MatchString(words) && names(words, dir) && !slices.ContainsFunc(container.VolumeMounts, has) {
			return "spec." + role + ".volumeMounts", "volume " + name + " at " + dir, true
		}
	}
	for _, m := range listOf(v, "spec", role, "configMaps") {
		name, _ := m["name"].(string)
		dir, _ := m["path"].(string)
		has := func(m corev1.VolumeMount) bool { return path.Clean(m.MountPath) == path.Clean(dir) }
		if dir != "" && absentFile.MatchString(words) && names(words, dir) && !slices.ContainsFunc(container.VolumeMounts, has) {
			return "spec." + role + ".configMaps", "ConfigMap " + name + " at " + dir, true
		}
	}
	if m := absentName.FindStringSubmatch(words); m != nil {
		of := func(e map[string]any) bool { return e["name"] == m[1] }
		has := func(e corev1.EnvVar) bool { return e.Name == m[1] }
		if slices.ContainsFunc(listOf(v, "spec", role, "env"), of) && !slices.ContainsFunc(container.Env, has) && len(container.EnvFrom) == 0 {
			return "spec." + role + ".env", "variable " + m[1], true
		}
		if from := variablesFrom(v, role); from != "" && pod != nil && len(container.EnvFrom) == 0 && !slices.ContainsFunc(container.Env, has) &&
			isVariable.MatchString(m[1]) {
			return "spec." + role + ".envFrom", "the variables of " + from, true
		}
	}
	return "", "", false
}

// variablesFrom is the first ConfigMap or Secret whose variables the spec gives to a role; empty: there is none.
func variablesFrom(v *mechanism.View, role string) string {
	for _, from := range listOf(v, "spec", role, "envFrom") {
		for ref, kind := range map[string]string{"configMapRef": "ConfigMap", "secretRef": "Secret"} { // one of them is set
			if name, _, _ := unstructured.NestedString(from, ref, "name"); name != "" {
				return kind + " " + name
			}
		}
	}
	return ""
}

// names reports whether a text has a path that is a directory or below it.
func names(text, dir string) bool {
	return slices.ContainsFunc(aPath.FindAllString(text, -1), func(p string) bool {
		return path.Clean(p) == path.Clean(dir) || strings.HasPrefix(p, path.Clean(dir)+"/")
	})
}

// listOf is a list of objects in the application; nil where there is none.
func listOf(v *mechanism.View, fields ...string) (out []map[string]any) {
	list, _, _ := unstructured.NestedSlice(v.Application.Object, fields...)
	for _, one := range list {
		if m, is := one.(map[string]any); is {
			out = append(out, m)
		}
	}
	return out
}
