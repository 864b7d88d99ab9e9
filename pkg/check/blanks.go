package check

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Blanks are the words in the commands of a docs page that stand for the reader's own objects, with what to put there.
type Blanks map[string]string

// KnownBlanks are the words that a docs page may use:
//
//	NAMESPACE TYPE NAME        the object of the finding; if that is a namespace, only NAMESPACE: pages name an object in it
//	APPLICATION APPLICATION_UID  the SparkApplication that it belongs to
//	POD DRIVER EXECUTOR        its pod
//	RELEASE OPERATOR_NAMESPACE the operator's installation, and where it is
//	INDEX UID                  the ownerReference that the finding is about
//	NODE                       the node that it is about
//	FINALIZER                  the finalizer; never filled in: which one may go is for the reader to find out
func KnownBlanks() []string {
	return []string{"NAMESPACE", "TYPE", "NAME", "APPLICATION", "APPLICATION_UID", "POD", "DRIVER", "EXECUTOR", "RELEASE",
		"OPERATOR_NAMESPACE", "INDEX", "UID", "NODE", "FINALIZER"}
}

// BlanksOf returns what an object by itself says.
func BlanksOf(key snapshot.Key) Blanks {
	if key.Kind == "Namespace" {
		return Blanks{"NAMESPACE": key.Name}
	}
	b := Blanks{"NAMESPACE": key.Namespace, "TYPE": strings.ToLower(key.Kind), "NAME": key.Name}
	if key.Kind == "SparkApplication" {
		b["APPLICATION"] = key.Name
	}
	return b
}

// Blanks returns what a finding says. The installations are those of the snapshot.
func (f *Finding) Blanks(installations []operator.Installation) Blanks {
	b := BlanksOf(f.Object.Key())
	if f.App != "" {
		b["APPLICATION"] = f.App
	}
	all := slices.Concat([]snapshot.Ref{f.Object}, f.Related, f.Objects)
	for _, ref := range slices.Backward(all) {
		switch ref.Kind {
		case "SparkApplication":
			b["APPLICATION"], b["APPLICATION_UID"] = ref.Name, ref.UID
		case "Pod":
			b["POD"] = ref.Name
			b["DRIVER"] = ref.Name
			b["EXECUTOR"] = ref.Name
		case "Node":
			b["NODE"] = ref.Name
		}
	}
	if m := regexp.MustCompile(`^metadata\.ownerReferences\[(\d+)]`).FindStringSubmatch(f.Field); m != nil {
		b["INDEX"] = m[1]
		b["UID"] = f.evidence(m[0] + ".uid")
	}
	for i := range installations {
		in := &installations[i]
		of := func(d *snapshot.Deployment) bool {
			return d != nil && slices.ContainsFunc(all, func(r snapshot.Ref) bool { return r.Key() == d.Key() })
		}
		if len(installations) == 1 || of(in.Controller) || of(in.Webhook) {
			b["RELEASE"], b["OPERATOR_NAMESPACE"] = in.Name, in.Namespace
			if b["NAMESPACE"] == "" {
				b["NAMESPACE"] = in.Namespace
			}
			break
		}
	}
	maps.DeleteFunc(b, func(_, value string) bool { return value == "" })
	return b
}

func (f *Finding) evidence(field string) string {
	i := slices.IndexFunc(f.Evidence, func(e Evidence) bool { return e.Field == field && e.Object == f.Object })
	if i < 0 {
		return ""
	}
	return f.Evidence[i].Value
}

// Fill puts values into the commands of a page: its indented blocks, and what follows "kubectl" in a line of text. A value
// that a shell or JSON would not take as it is stays a blank: names in files may be anything.
func (b Blanks) Fill(page string) string {
	plain := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:-]*$`)
	word := regexp.MustCompile(`[A-Z_]+`)
	fill := func(text string) string {
		return word.ReplaceAllStringFunc(text, func(w string) string {
			if value := b[w]; plain.MatchString(value) {
				return value
			}
			return w
		})
	}
	inline := regexp.MustCompile("`kubectl [^`]*`")
	var out strings.Builder
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "    ") {
			line = fill(line)
		} else {
			line = inline.ReplaceAllStringFunc(line, fill)
		}
		out.WriteString(line)
	}
	return out.String()
}
