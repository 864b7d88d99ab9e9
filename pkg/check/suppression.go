package check

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// SuppressionRule says which findings of one check a user accepts.
type SuppressionRule struct {
	Check           string            // id
	Object          snapshot.Ref      // that carries the suppression as an annotation; zero for the others
	Namespace, Name string            // patterns of path.Match for the others; a cluster-scoped object has an empty namespace
	Reason, Owner   string            // why, and who answers for it
	Until           time.Time         // the first moment at which it no longer holds; zero: it has no end
	By              SuppressionOrigin // who says so
	Source          snapshot.Ref      // what a finding about the suppression is about
	Location        snapshot.Location
}

// SuppressionOrigin is a word of the report.
type SuppressionOrigin string

const (
	ByAnnotation SuppressionOrigin = "annotation"
	ByFlag       SuppressionOrigin = "flag"
	ByConfig     SuppressionOrigin = "config"
)

// suppressionText is "CHECK[=NAMESPACE/NAME][: reason] [(until 2026-12-31)]".
var suppressionText = regexp.MustCompile(`^([^:=\s]+)(?:=([^:\s]+))?\s*(?::\s*(.*?))?\s*(?:\(until ([^)]*)\))?$`)

// ParseIgnore reads the value of --ignore about one of the known checks: "CHECK[=NAMESPACE/NAME][: reason]". A name without a
// namespace is that of a
// cluster-scoped object; both may be patterns. A reason may end with "(until 2026-12-31)".
func ParseIgnore(text string, known []Check) (SuppressionRule, error) {
	w, object, err := parseSuppression(text, known)
	if err != nil {
		return SuppressionRule{}, err
	}
	w.By = ByFlag
	w.Source = snapshot.Ref{Kind: "Flag", Name: "--ignore"}
	w.Namespace = "*"
	w.Name = "*"
	if object == "" {
		return w, nil
	}
	namespace, name, found := strings.Cut(object, "/")
	if !found {
		namespace, name = "", object
	}
	w.Namespace, w.Name = namespace, name
	return w, ValidPatterns(namespace, name)
}

// parseAnnotation reads the annotation sparkdoctor.io/ignore: "CHECK: reason (until 2026-12-31)", several of them
// apart by semicolons. What cannot be read is an error beside those that can.
func parseAnnotation(o snapshot.Ignored, known []Check) (list []SuppressionRule, errs []error) {
	for text := range strings.FieldsFuncSeq(o.Text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if strings.TrimSpace(text) == "" {
			continue
		}
		w, object, err := parseSuppression(strings.TrimSpace(text), known)
		switch {
		case err != nil:
		case object != "":
			err = fmt.Errorf("%q names an object: an annotation covers only the object that carries it", object)
		case w.Reason == "":
			err = fmt.Errorf("%q gives no reason", strings.TrimSpace(text))
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		w.By = ByAnnotation
		w.Object = o.Ref
		w.Source = o.Ref
		w.Location = o.Location
		list = append(list, w)
	}
	return list, errs
}

func parseSuppression(text string, known []Check) (w SuppressionRule, object string, err error) {
	m := suppressionText.FindStringSubmatch(text)
	if m == nil {
		return w, "", fmt.Errorf(`%q is not of the form "CHECK: reason (until 2026-12-31)"`, text)
	}
	check, err := Lookup(known, m[1])
	if err != nil {
		return w, "", err
	}
	w = SuppressionRule{Check: check.ID, Reason: m[3]}
	if m[4] != "" {
		w.Until, err = ParseUntil(m[4])
	}
	return w, m[2], err
}

// ParseUntil reads the last day on which a suppression holds, in UTC, and returns the moment at which it ends.
func ParseUntil(day string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a date such as 2026-12-31", day)
	}
	return t.AddDate(0, 0, 1), nil
}

// ValidPatterns says what is wrong with patterns of names.
func ValidPatterns(patterns ...string) error {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("%q is no pattern of names: %w", p, err)
		}
	}
	return nil
}

// LastDay is the last day on which the suppression holds, empty if it has no end.
func (w *SuppressionRule) LastDay() string {
	if w.Until.IsZero() {
		return ""
	}
	return w.Until.AddDate(0, 0, -1).Format(time.DateOnly)
}

// covers reports whether the suppression is about everything that a finding is about: a finding that joins several
// objects is only covered as a whole.
func (w *SuppressionRule) covers(f *Reported) bool {
	if f.Check != w.Check {
		return false
	}
	app := f.App
	if f.Apps {
		app = ""
	}
	for _, o := range append([]snapshot.Ref{f.Object}, f.Objects...) {
		if !w.about(o, app) {
			return false
		}
	}
	return true
}

// about reports whether the suppression is about an object, or about the Spark object that it is a part of.
func (w *SuppressionRule) about(o snapshot.Ref, app string) bool {
	if w.By == ByAnnotation {
		part := app != "" && w.Object.Group() == snapshot.SparkGroup && w.Object.Namespace == o.Namespace && w.Object.Name == app
		return part || o.Key() == w.Object.Key()
	}
	matches := func(pattern, name string) bool { ok, _ := path.Match(pattern, name); return ok }
	if !matches(w.Namespace, o.Namespace) {
		return false
	}
	return matches(w.Name, o.Name) || app != "" && matches(w.Name, app)
}

// subject says what a suppression is about, for people.
func (w *SuppressionRule) subject() string {
	switch {
	case w.By == ByAnnotation:
		return w.Object.String()
	case w.Namespace == "":
		return w.Name
	case w.Namespace == "*" && w.Name == "*":
		return "any object"
	default:
		return w.Namespace + "/" + w.Name
	}
}
