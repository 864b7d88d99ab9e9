package apply

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Journal writes a record, from the first request on: a run that sends nothing leaves none. Every line is on disk before
// the method returns.
type Journal struct {
	Opened func(path string) // told once the record is there

	dir    string
	header plan.Header

	mu     sync.Mutex
	path   string
	file   *os.File
	broken error // nothing more is recorded
	number int
}

// NewJournal prepares a record in a directory of the user's own. If it could not be written nothing must be applied.
func NewJournal(dir string, h plan.Header) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory for records: %w", err)
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err == nil {
		err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		return nil, fmt.Errorf("making a record: %w", err)
	}
	return &Journal{dir: dir, header: h}, nil
}

// Path is where the record is; empty before the first request.
func (j *Journal) Path() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.path
}

// open writes the first line. Its file is 0600, and has a name that no other run has.
func (j *Journal) open() error {
	file, err := os.CreateTemp(j.dir, "fix-"+j.header.Started.UTC().Format("20060102T150405")+"-*.jsonl")
	if err != nil {
		return fmt.Errorf("making a record: %w", err)
	}
	j.path, j.file = file.Name(), file
	if j.broken = j.line(j.header); j.broken != nil {
		return j.broken
	}
	if d, err := os.Open(filepath.Clean(j.dir)); err == nil {
		_ = d.Sync() // not every file system can; the file itself is synced
		_ = d.Close()
	}
	if j.Opened != nil {
		j.Opened(j.path)
	}
	return nil
}

// Begin notes a request that is about to be sent, and returns its number.
func (j *Journal) Begin(f plan.Fix, s fix.Step, at time.Time) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return 0, j.broken
	}
	if j.file == nil {
		if err := j.open(); err != nil {
			return 0, err
		}
	}
	j.number++
	return j.number, j.line(plan.Begin(j.number, f, s, at))
}

// End notes how a request ended.
func (j *Journal) End(number, id int, end plan.End, cause error, at time.Time) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := plan.Entry{Number: number, Fix: id, At: at, End: end}
	if cause != nil {
		e.Error = snapshot.Redact(cause.Error())
	}
	return j.line(e)
}

// Close ends the record.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

func (j *Journal) line(v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = j.file.Write(append(text, '\n'))
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("writing the record %s: %w", j.path, err)
	}
	return nil
}
