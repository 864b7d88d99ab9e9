// Package records finds the records of fixes in their directory, for people who do not remember a file's name.
package records

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Listed is a record in the directory.
type Listed struct {
	Name   string // of the file
	Record plan.Record
	Err    error // why it cannot be read
}

// Names returns the names of the records in a directory, the newest first: a name begins with the time of its fix. A directory
// that does not exist has none.
func Names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if matched, _ := filepath.Match("fix-*.jsonl", e.Name()); matched && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Reverse(names) // ReadDir sorts them
	return names, nil
}

// List reads the records in a directory, the newest first.
func List(dir string) ([]Listed, error) {
	names, err := Names(dir)
	if err != nil {
		return nil, err
	}
	var out []Listed
	for _, name := range names {
		one := Listed{Name: name}
		one.Record, one.Err = read(filepath.Join(dir, name))
		out = append(out, one)
	}
	return out, nil
}

func read(path string) (plan.Record, error) {
	file, err := os.Open(path) // #nosec G304 -- of the directory that the user named
	if err != nil {
		return plan.Record{}, err
	}
	defer func() { _ = file.Close() }()
	return plan.ReadRecord(file)
}

// Write lists records for people, as of now.
func Write(w io.Writer, list []Listed, now time.Time) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	_, _ = fmt.Fprintln(table, "RECORD\tAGE\tCONTEXT\tFIXES\tFIRST FIX")
	for _, one := range list {
		if one.Err != nil {
			_, _ = fmt.Fprintf(table, "%s\t\t\t\tunreadable: %s\n", report.Escape(one.Name), report.Escape(one.Err.Error()))
			continue
		}
		first := ""
		if len(one.Record.Fixes) > 0 {
			first = one.Record.Fixes[0].Title
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\n", report.Escape(one.Name), duration.HumanDuration(now.Sub(one.Record.Started)),
			report.Escape(one.Record.Cluster.Context), len(one.Record.Fixes), report.Escape(first))
	}
	return table.Flush()
}
