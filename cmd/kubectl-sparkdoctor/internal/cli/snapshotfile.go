package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// mayWrite refuses to replace a file that nobody said is to be replaced, and what is no file.
func (o *snapshotOptions) mayWrite() error {
	if o.file == "-" {
		return nil
	}
	info, err := os.Lstat(o.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return hasPlace(o.file)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", o.file)
	case !o.overwrite:
		return fmt.Errorf("%s exists (--overwrite replaces it)", o.file)
	default:
		return nil
	}
}

// save writes the archive, readable only for the user, under another name until it is complete.
func (o *snapshotOptions) save(
	ctx context.Context, streams genericiooptions.IOStreams, write func(*countingWriter) (archive.Manifest, error),
) (m archive.Manifest, err error) {
	if o.file == "-" {
		out := bufio.NewWriter(streams.Out)
		if m, err = write(&countingWriter{Writer: out}); err == nil {
			err = out.Flush()
		}
		return m, err
	}
	to := &countingWriter{}
	ready := func() error { return errors.Join(ctx.Err(), o.mayWrite()) } // it may have come meanwhile
	err = durable.Writer{}.Replace(o.file, durable.Options{Private: true, Ready: ready}, func(file io.Writer) (err error) {
		to.Writer, to.n = file, 0
		m, err = write(to)
		return err
	})
	if err != nil {
		return m, err
	}
	records := 0
	for _, v := range m.Snapshot.Views {
		records += v.Records
	}
	say(streams, "saved: %d records in %s, %s", records, report.Escape(o.file), size(to.n))
	return m, nil
}

// countingWriter counts what is written.
type countingWriter struct {
	io.Writer
	n int
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.n += n
	return n, err
}
