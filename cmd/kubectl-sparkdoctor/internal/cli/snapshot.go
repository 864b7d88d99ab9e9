package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

const snapshotExample = `  # Save what a scan reads, for a colleague without access to the cluster
  kubectl sparkdoctor snapshot -o cluster.tar.gz

  # With the certificates that the webhook serves, and the lines of the operator's logs
  kubectl sparkdoctor snapshot -o cluster.tar.gz --probe --logs

  # Why an application failed, answered from the archive
  kubectl sparkdoctor why nightly-etl -n payments -f cluster.tar.gz

  # One namespace, and what its applications depend on
  kubectl sparkdoctor snapshot -n team-a -o team-a.tar.gz

  # The same findings, anywhere and at any time
  kubectl sparkdoctor scan -f cluster.tar.gz

  # List its contents
  tar xOzf cluster.tar.gz sparkdoctor-snapshot.json`

const snapshotLong = `Saves what scan and gate read as an archive. With -f ARCHIVE they report the same findings as on the cluster,
in any format, with any selection and any suppressions. Like scan, it rechecks objects that look missing, and saves the answers, too.

With --logs, the archive also holds the evidence that why -f needs for the last 10 applications that failed within 24 hours: their
pods, events, namespaces and nodes, and the beginnings and ends of the logs of drivers and of failed executors.

Secrets are removed: the manifest in the archive lists what it never contains, and how often something was removed. Names,
labels, images and the operator's arguments stay.

Exit codes: 0 saved; 2 usage or failure to run; 3 saved, but something could not be read (unless --allow-incomplete).`

// snapshotFlags are what the user typed.
type snapshotFlags struct {
	scanFlags
	file      string
	overwrite bool
}

func newSnapshot(streams genericiooptions.IOStreams) *cobra.Command {
	f := &snapshotFlags{scanFlags: scanFlags{kube: genericclioptions.NewConfigFlags(true), params: check.DefaultParams()}}
	cmd := &cobra.Command{
		Use: "snapshot -o FILE", Short: "Save what a scan and a gate read, without secrets, for their -f",
		Long: snapshotLong, Example: snapshotExample, Args: help.NoArguments(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := f.snapshotOptions(cmd.Context(), streams)
			if err != nil {
				return usageError(cmd, err)
			}
			return o.run(cmd.Context(), streams)
		},
	}
	fs := cmd.Flags()
	f.addCluster(fs)
	fs.StringVarP(&f.file, "output", "o", "", "file to write, or - for stdout")
	fs.BoolVar(&f.overwrite, "overwrite", false, "replace the file if it exists")
	fs.StringSliceVar(&f.checks, "checks", nil, "save what these checks read only (ids or slugs)")
	fs.StringSliceVar(&f.skip, "skip-checks", nil, "do not save what only these checks read (ids or slugs)")
	fs.BoolVar(&f.allowIncomplete, "allow-incomplete", false, "do not exit 3 when something could not be read")
	return cmd
}

// snapshotOptions are what the snapshot needs.
type snapshotOptions struct {
	snapshotFlags
	scan *scanOptions
}

func (f *snapshotFlags) snapshotOptions(ctx context.Context, streams genericiooptions.IOStreams) (*snapshotOptions, error) {
	f.failOn = "none"
	f.color = "auto"
	f.catalogue = checks.Catalogue()
	switch {
	case f.file == "":
		return nil, errors.New("-o needs a file name")
	case f.file == "-" && isTerminal(streams.Out):
		return nil, errors.New("refusing to write an archive to a terminal: pass -o FILE, or redirect standard output")
	}
	o, err := f.options(ctx, nil)
	if err != nil {
		return nil, err
	}
	// What a configuration selects is for a scan: whoever gets the archive may want more.
	o.checks = f.checks
	o.skip = f.skip
	o.selected = nil
	o.suppressions = nil
	if len(f.checks)+len(f.skip) > 0 {
		if err := o.selectChecks(); err != nil {
			return nil, err
		}
	}
	return &snapshotOptions{*f, o}, nil
}

func (o *snapshotOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	if err := o.mayWrite(); err != nil {
		return err
	}
	recording, err := scan.Record(ctx, o.scan.library(streams))
	if err != nil {
		return err
	}
	m, err := o.save(ctx, streams, func(to *countingWriter) (archive.Manifest, error) { return recording.Write(ctx, to) })
	if err != nil {
		return err
	}
	return o.end(streams, m)
}

// end says what is in the archive, and what is not.
func (o *snapshotOptions) end(streams genericiooptions.IOStreams, m archive.Manifest) error {
	var unseen []string
	for _, v := range m.Snapshot.Views {
		for _, u := range v.Unseen {
			text := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s", u.Verb, u.Resource, u.Namespace, u.Name)), " ") + ": " + u.Reason
			if !slices.Contains(unseen, text) {
				unseen = append(unseen, text)
			}
		}
	}
	for i, text := range unseen {
		if i == 10 {
			say(streams, "not saved: %d more", len(unseen)-i)
			break
		}
		say(streams, "not saved: %s", report.Escape(text))
	}
	removed, lines := 0, 0
	for _, r := range m.Redacted {
		removed += r.Count
		lines += r.Lines
	}
	if removed > 0 {
		say(streams, "secrets removed from texts: %d", removed)
	}
	if lines > 0 {
		say(streams, "lines of logs that secrets took: %d", lines)
	}
	if len(unseen) > 0 && !o.allowIncomplete {
		return &codeError{code: exitIncomplete}
	}
	return nil
}
