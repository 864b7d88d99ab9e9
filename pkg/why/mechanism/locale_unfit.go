package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// LocaleUnfit is a name of a file that a JVM cannot write in the encoding of its locale: ASCII where none is set, the locale is C or
// POSIX, or the image does not have it. The JVM takes sun.jnu.encoding from the C library and from nowhere else
// (src/java.base/unix/native/libjava/java_props_md.c, and initProperties in src/java.base/share/classes/jdk/internal/util/SystemProps.java
// of openjdk/jdk17u). A name with half of a surrogate pair looks alike: no encoding has it, and the locale is of UTF-8.
type LocaleUnfit struct {
	Role     cause.Role
	Variable string // that counts; empty: none is set
	Value    string
	Lacks    bool   // the image does not have that locale
	Encoding string // sun.jnu.encoding, as the log says; empty: it does not
	Option   string // -Dfile.encoding or -Dsun.jnu.encoding, which is given in vain; empty: neither is
}

// Mechanism names it.
func (LocaleUnfit) Mechanism() cause.ID { return "locale-unfit" }

var (
	// sun.nio.fs.UnixPath.encode, of JDK 17 and, with fewer words, of others
	unmappable = lazyregexp.New(`^Malformed input or input contains unmappable characters`)
	// java.io.FileInputStream writes "?" for what it cannot encode, and looks for a file of that name.
	questioned = lazyregexp.New(`^/[^\n]*\?[^\n]* \(No such file or directory\)$`)
	// set_locale_var in locale.c of GNU bash 5.2
	unsetLocale = lazyregexp.New(`setlocale: (LC_ALL|LC_CTYPE|LANG): cannot change locale \(([\w.@-]{1,40})\)`)
	jnuEncoding = lazyregexp.New(`(?m)(?:^|[\s,;("'\[{])sun\.jnu\.encoding["']?\s{0,8}[=:]\s{0,8}["']?([\w.:-]{1,40})`)
	inVain      = lazyregexp.New(`-D(?:file|sun\.jnu)\.encoding=[\w.-]{1,40}`)
	utf8Locale  = lazyregexp.New(`(?i)\.utf-?8(?:@|$)`)
)

// Locale explains a name that cannot be written by the locale of the process.
func Locale(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	refused := slices.ContainsFunc(failed.Chain, func(t logs.Throwable) bool {
		return t.Class == "java.nio.file.InvalidPathException" && unmappable.MatchString(t.Message)
	})
	asked := slices.ContainsFunc(failed.Chain, func(t logs.Throwable) bool {
		return t.Class == "java.io.FileNotFoundException" && questioned.MatchString(t.Message)
	})
	role, pod := actingPod(v, about, &failed)
	if !refused && !asked || pod == nil {
		return cause.Cause{}, false
	}
	d := LocaleUnfit{Role: role}
	d.Option = inVain.FindString(v.Spec.JavaOptions(string(role)))
	proofs, sure := d.read(v, pod)
	if !sure && (asked || !d.mayBe(pod)) {
		return cause.Cause{}, false
	}
	certainty := check.Likely
	if sure {
		certainty = about.Certainty
	}
	return cause.Cause{Class: cause.Configuration, Certainty: certainty, Role: role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: append(proofs, d.given(pod)...)}, true
}

// read takes from the log of a pod which locale its image lacks, and the encoding; sure: they do not have all characters.
func (d *LocaleUnfit) read(v *View, pod *corev1.Pod) (out []cause.Proof, sure bool) {
	at := slices.IndexFunc(v.Logs, func(l app.Log) bool { return l.Pod == pod.Name && l.Container == app.MainName(pod) && !l.Previous })
	if c := mainContainer(pod); c != nil {
		d.Variable, d.Value = localeOf(c)
	}
	if at < 0 {
		return nil, false
	}
	text, field := v.Logs[at].Head+"\n"+v.Logs[at].Tail, "log "+app.MainName(pod)
	if m := jnuEncoding.FindStringSubmatch(text); m != nil {
		d.Encoding, sure = m[1], !strings.EqualFold(strings.ReplaceAll(m[1], "-", ""), "UTF8")
		out = append(out, cause.Proof{Object: Ref(pod), Field: field, Value: "sun.jnu.encoding=" + m[1]})
		if !sure {
			return nil, false
		}
	}
	if m := unsetLocale.FindStringSubmatch(text); m != nil {
		d.Variable, d.Value, d.Lacks, sure = m[1], m[2], true, true
		out = append(out, cause.Proof{Object: Ref(pod), Field: field, Value: m[0]})
	}
	d.Lacks = d.Lacks || sure && utf8Locale.MatchString(d.Value)
	return out, sure
}

// mayBe reports whether the variables of a pod alone tell of a locale without all characters. An image may set one where they set none.
func (d *LocaleUnfit) mayBe(pod *corev1.Pod) bool {
	c := mainContainer(pod)
	switch {
	case c == nil || d.Encoding != "":
		return false
	case d.Variable == "":
		return len(c.Env) > 0 && len(c.EnvFrom) == 0
	default:
		return d.Value != "" && !utf8Locale.MatchString(d.Value)
	}
}

// localeOf is the variable of a container that counts, and its value, where that is kept.
func localeOf(c *corev1.Container) (variable, value string) {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		for _, e := range c.Env {
			if e.Name == name {
				return name, snapshot.KeptValue(name, e.Value)
			}
		}
	}
	return "", ""
}

// given is where the pod has the variable, or has none.
func (d *LocaleUnfit) given(pod *corev1.Pod) []cause.Proof {
	c := mainContainer(pod)
	if c == nil || d.Variable != "" && d.Value == "" {
		return nil
	}
	env := "spec.containers[" + c.Name + "].env"
	if d.Variable == "" {
		return []cause.Proof{{Object: Ref(pod), Field: env, Value: "without LC_ALL, LC_CTYPE and LANG"}}
	}
	return []cause.Proof{{Object: Ref(pod), Field: env + "[" + d.Variable + "]", Value: d.Value}}
}
