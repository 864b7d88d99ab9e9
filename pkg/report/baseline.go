package report

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Baseline says how the findings of a report compare with those of an older one.
type Baseline struct {
	CreationTimestamp time.Time      `json:"creationTimestamp"` // of the older report
	Findings          BaselineCounts `json:"findings"`
	// Gone are the findings of the older report that this one does not have.
	Gone []Item `json:"gone"`
}

// BaselineCounts counts findings by class.
type BaselineCounts struct {
	New           int `json:"new"`
	Resolved      int `json:"resolved"`
	Unchanged     int `json:"unchanged"`
	NotComparable int `json:"notComparable"`
}

// Class is how one finding compares.
type Class struct {
	Class  string `json:"class"`            // new, resolved, unchanged or notComparable
	Reason string `json:"reason,omitempty"` // why it cannot be compared, or what makes it new though it was there
}

// The classes of findings that are compared.
const (
	ClassNew           = "new"
	ClassResolved      = "resolved"
	ClassUnchanged     = "unchanged"
	ClassNotComparable = "notComparable"
)

// Compare sets the report beside an older one. Findings are the same by fingerprint, and where objects are re-created
// under generated names, by what is left of the name. One that became worse is new. What is in one report only, and was
// not looked at by the other, is not comparable: nobody knows whether it is new or resolved.
func (r *Report) Compare(old *Report) {
	b := &Baseline{CreationTimestamp: old.Metadata.CreationTimestamp, Gone: []Item{}}
	before := match(old.Items, r.Items)
	for i := range r.Items {
		item := &r.Items[i]
		if item.Suppression != nil {
			continue // matched, so that it is not called resolved
		}
		class := Class{Class: ClassNew}
		if was := before.of(item); was == nil {
			if reason := old.unseen(r, item); reason != "" {
				class = Class{ClassNotComparable, "the baseline could not tell: " + reason}
			}
		} else if Rank(item.Severity) < Rank(was.Severity) {
			class.Reason = "was " + was.Severity
		} else {
			class.Class = ClassUnchanged
		}
		item.Baseline = &class
		b.Findings.add(class.Class)
	}
	for _, item := range before.left() {
		if slices.Contains(r.Suppressed, item.QualifiedName()) {
			continue
		}
		class := Class{Class: ClassResolved}
		if reason := r.unseen(old, item); reason != "" {
			class = Class{ClassNotComparable, reason}
		}
		gone := *item
		gone.Baseline = &class
		b.Gone = append(b.Gone, gone)
		b.Findings.add(class.Class)
	}
	r.Baseline = b
	r.sortItems()
	r.Conclude()
}

func (c *BaselineCounts) add(class string) {
	switch class {
	case ClassNew:
		c.New++
	case ClassResolved:
		c.Resolved++
	case ClassUnchanged:
		c.Unchanged++
	default:
		c.NotComparable++
	}
}

// unseen says why this report would not have a finding of another one that is not in it; nothing if it would.
func (r *Report) unseen(other *Report, item *Item) string {
	namespace := item.Object.Namespace
	switch a, b := r.Sources[0], other.Sources[0]; {
	case len(r.Sources) > 1 != (len(other.Sources) > 1):
		return "one report is of several clusters, the other of one"
	case r.missing(item.cluster) != "":
		return r.missing(item.cluster)
	case (a.Type == "files") != (b.Type == "files"): // an archive is a cluster as it was
		return fmt.Sprintf("one report is of a %s, the other of a %s", a.Type, b.Type)
	case r.Scope.Selector != other.Scope.Selector && r.Scope.Selector != "":
		return "only objects with " + r.Scope.Selector + " were looked at"
	case len(r.Scope.Objects) > 0 && !slices.Equal(r.Scope.Objects, other.Scope.Objects):
		return "only some objects were looked at"
	case namespace != "" && len(r.Scope.Namespaces) > 0 && !slices.Contains(r.Scope.Namespaces, namespace):
		return "namespace " + namespace + " was not looked at"
	}
	i := slices.IndexFunc(r.Checks, func(c Check) bool { return c.ID == item.Check && c.Source == item.cluster })
	if i < 0 {
		if strings.HasPrefix(item.Check, "SD0") {
			return "" // they are asked where there are suppressions
		}
		return item.Check + " was not asked"
	}
	c := r.Checks[i]
	word, reason := LimitOf(c)
	if word != "PARTIAL" || c.Reason != "" { // what was left unjudged may be in any namespace
		if word == "" {
			return ""
		}
		return item.Check + " could not tell: " + reason
	}
	for _, u := range c.Unseen {
		if u.Namespace == "" || namespace == "" || u.Namespace == namespace {
			return item.Check + " could not tell: " + UnseenText(c.Unseen)
		}
	}
	return ""
}
