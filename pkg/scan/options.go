package scan

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// Options say what is scanned, for what, and who hears of it. Only the Source is required.
type Options struct {
	Source   Source        // a Cluster or Files
	Subjects Subjects      // what findings are about; the zero value is everything
	Checks   []check.Check // nil: all, those about suppressions included
	Params   check.Params  // the zero value: check.DefaultParams()
	Tool     report.Tool   // that is named in the report

	Suppressions   []check.SuppressionRule // findings that the user accepts
	ShowSuppressed bool                    // list them behind the others
	AllowEmpty     bool                    // subjects that do not exist are a note and no EmptyError
	Cost           bool                    // put what the scan took into the report
	CaseFile       bool                    // answer of the only application among Subjects what Why does, too

	// Confirming shows what is known while what is missing is given time, and returns after that time, or with the error of the
	// context. Nil: a line for people.
	Confirming func(context.Context, Pending) error

	// Signatures are a team's own, which a case file asks about what no built-in one explains; nil: there are none.
	Signatures *catalog.Set

	Asked    command.Asked // what commands in the report must say again
	Observer Observer      // nil: progress is not reported
}

// Pending is what is known before what is missing was looked at again.
type Pending struct {
	Report   func() *report.Report // with the findings that are not confirmed marked
	Findings int                   // that may be taken back
	For      time.Duration         // until it is looked at again
}

// Subjects select what findings are about. What subjects are compared with is read in full all the same.
type Subjects struct {
	Namespaces []string       // nil: all
	Level      string         // report.ScopeNamespace: what may not be read beyond Namespaces leaves no gap; empty: it does
	Selector   string         // labels of Spark objects, whose parts follow; empty: all
	Objects    []snapshot.Key // only what concerns these, also findings about objects of other namespaces; nil: all
}

// Observer hears of a run what is in no report.
type Observer interface {
	Reading()                  // a source is about to be read; a repair reads it several times
	Progress(collect.Progress) // a page of it was read; called from several goroutines
	Read()                     // the reading has ended, with or without an error
	Note(text string)          // one line for people: the scope, what is waited for. It may quote the cluster: escape it
}

// run is one run of the pipeline.
type run struct {
	Options
	started        time.Time
	selected       []check.Check // those that look at something
	ofSuppressions []check.Check
	selection      check.Selection
	namespaces     []string         // to read; nil: all
	schemas        snapshot.Schemas // of a target, with which stored objects are compared; nil: none
	recording      bool             // an archive answers other selections, too
	settled        bool             // what is missing had its time, in an earlier question about the same reading
	// inFull chooses the applications that are kept in full; nil: none.
	inFull func(time.Time, iter.Seq[*snapshot.SparkApplication]) []snapshot.Key
}

// start fills in the defaults.
func (o Options) start(all func() []check.Check) (*run, error) {
	r := &run{Options: o, started: time.Now(), namespaces: o.Subjects.Namespaces}
	list := o.Checks
	if list == nil {
		list = all()
	}
	if o.Params == (check.Params{}) {
		r.Params = check.DefaultParams()
	}
	for _, c := range list {
		if c.Run == nil {
			r.ofSuppressions = append(r.ofSuppressions, c)
		} else {
			r.selected = append(r.selected, c)
		}
	}
	if o.Subjects.Selector != "" {
		selector, err := labels.Parse(o.Subjects.Selector)
		if err != nil {
			return nil, fmt.Errorf("selector %q: %w", o.Subjects.Selector, err)
		}
		r.selection.Selector = selector
	}
	r.selection.Objects = o.Subjects.Objects
	if r.selection.Objects == nil {
		r.selection.Namespaces = o.Subjects.Namespaces
	}
	if slices.ContainsFunc(r.selection.Objects, func(k snapshot.Key) bool { return k.Group != snapshot.SparkGroup }) {
		r.namespaces = nil // what a workflow made can be anywhere
	}
	return r, nil
}

// ofScan are the checks that a scan asks.
func ofScan() []check.Check { return slices.Concat(check.SuppressionChecks(), checks.All()) }

// note tells the observer a line for people.
func (o Options) note(format string, args ...any) {
	if o.Observer != nil {
		o.Observer.Note(fmt.Sprintf(format, args...))
	}
}
