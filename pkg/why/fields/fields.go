// Package fields names fields in advice. A SparkApplication, spark-submit and a SparkConnect call the same thing by different names, so a
// sentence names a field by a placeholder, as in "raise {driver.memory}", and is filled for what started the application before values are
// put into it: a value that looks like a placeholder stays as it is.
package fields

import (
	"cmp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Runner is what an application is started by.
type Runner int

// The runners.
const (
	Application Runner = iota // a SparkApplication: fields of its spec
	Submit                    // another than our operator started it: settings of Spark
	Connect                   // a SparkConnect: fields of its spec, and settings of Spark
	Scheduled                 // a run of a ScheduledSparkApplication: fields of the template, of which the next run is made
)

// Names are the names of fields for a runner, in advice about a process.
type Names struct {
	Runner Runner
	Role   cause.Role // of {role.memory}; any other than driver and executor: it is not known which of both
	// Catalog is of {catalog}, as in spark.sql.catalog.{catalog}.uri; empty: the settings have none, or several.
	Catalog string
}

var (
	inBraces = lazyregexp.New(`\$?\{[^{}]*\}`) // ${name} is a group of a message: another stage fills it
	ofField  = lazyregexp.New(`^\{(?:driver|executor|role|spec)\.[A-Za-z.]*\}$`)
)

// Fill puts names for the placeholders of a text. Other braces stay as they are.
func (n Names) Fill(text string) string {
	return inBraces.ReplaceAllStringFunc(text, func(braced string) string {
		if name, known := n.named(braced[1 : len(braced)-1]); known {
			return name
		}
		return braced
	})
}

// Of is the name of a field; one that has no placeholder is called the same everywhere.
func (n Names) Of(field string) string {
	if name, known := n.named(field); known {
		return name
	}
	return field
}

// Unknown returns the first of a text's braces that name a field and are no placeholder; empty: there are none.
func Unknown(text string) string {
	for _, braced := range inBraces.FindAllString(text, -1) {
		if _, known := (Names{}).named(braced[1 : len(braced)-1]); !known && ofField.MatchString(braced) {
			return braced
		}
	}
	return ""
}

// named is the name of a placeholder. The word role in it stands for the process that the advice is about.
func (n Names) named(placeholder string) (string, bool) {
	if placeholder == "catalog" {
		return cmp.Or(n.Catalog, "NAME"), true
	}
	before, after, relative := strings.Cut(placeholder, "role")
	if !relative {
		return n.lookUp(placeholder)
	}
	if n.Role == cause.DriverRole || n.Role == cause.ExecutorRole {
		return n.lookUp(before + string(n.Role) + after)
	}
	driver, both := n.lookUp(before + string(cause.DriverRole) + after)
	executor, known := n.lookUp(before + string(cause.ExecutorRole) + after)
	return driver + " or " + executor, both && known
}

func (n Names) lookUp(field string) (string, bool) {
	for _, r := range table() {
		if r.application == field && n.Runner == Scheduled {
			return r.scheduled(), true
		}
		if r.application == field {
			return [...]string{Application: r.application, Submit: r.submit, Connect: r.connect}[n.Runner], true
		}
	}
	return "", false
}
