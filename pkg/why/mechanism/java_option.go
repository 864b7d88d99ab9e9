package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// JavaOption is where an option of the JVM is given.
type JavaOption struct {
	Path     []string // of the field below spec
	Value    string   // of that field
	Variable string   // of the environment instead; its value is not kept in full
}

// String is how a reader calls it.
func (o JavaOption) String() string {
	switch {
	case o.Variable != "":
		return "variable " + o.Variable
	case len(o.Path) == 2 && o.Path[0] == "sparkConf":
		return Setting{o.Path[0], o.Path[1]}.Indexed()
	default:
		return "spec." + strings.Join(o.Path, ".")
	}
}

// jdwp matches the option that loads the debugger's agent, in its two spellings.
var jdwp = lazyregexp.New(`-(?:agentlib:jdwp=|Xrunjdwp:)([^\s"']+)`)

// debugPort is the port of its address, with or without a host ("*:5005").
var debugPort = lazyregexp.New(`[=,:]address=(?:[^\s,]*:)?(\d{1,5})(?:,|$)`)

// Suspends reports whether an option makes the JVM wait for a debugger that connects to it.
func Suspends(option string) bool {
	m := jdwp.FindStringSubmatch(option)
	if m == nil {
		return false
	}
	given := map[string]string{"suspend": "y", "server": "n"}
	for one := range strings.SplitSeq(m[1], ",") {
		name, value, _ := strings.Cut(one, "=")
		given[name] = value
	}
	later := given["onthrow"] != "" || given["onuncaught"] == "y" || given["onjcmd"] == "y" || given["launch"] != ""
	return given["suspend"] == "y" && given["server"] == "y" && !later
}

// debugOption is the option of a role that loads the debugger's agent, and where it is given; empty: none was seen. A field of a role is
// passed to Spark after sparkConf, so that it counts (internal/controller/sparkapplication/submission.go@v2.5.2).
func (v *View) debugOption(role cause.Role, pod *corev1.Pod) (string, JavaOption) {
	extra, preset := "spark."+string(role)+".extraJavaOptions", "spark."+string(role)+".defaultJavaOptions"
	all := []JavaOption{{Path: []string{string(role), "javaOptions"}, Value: v.Spec.Role(string(role)).JavaOptions}}
	if all[0].Value == "" {
		all[0] = JavaOption{Path: []string{"sparkConf", extra}, Value: v.Spec.Conf[extra]}
	}
	all = append(all, JavaOption{Path: []string{"sparkConf", preset}, Value: v.Spec.Conf[preset]})
	if c := mainContainer(pod); c != nil {
		for _, e := range c.Env {
			all = append(all, JavaOption{Variable: e.Name, Value: snapshot.KeptValue(e.Name, e.Value)})
		}
	}
	for _, one := range all {
		if option := jdwp.FindString(one.Value); option != "" {
			return option, one
		}
	}
	return "", JavaOption{}
}
