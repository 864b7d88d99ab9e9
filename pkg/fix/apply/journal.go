package apply

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Journal writes a record, from the first request on: a run that sends nothing leaves none. Every line is on disk before
// the method returns, or not in the record.
type Journal struct {
	Opened func(path string) // told once the record is there

	dir    string
	header plan.Header

	mu     sync.Mutex
	log    *durable.Log
	number int
	files  durable.Writer
}

// NewJournal prepares a record in a directory of the user's own. If it could not be written nothing must be applied.
func NewJournal(dir string, h plan.Header) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory for records: %w", err)
	}
	j := &Journal{dir: dir, header: h}
	if err := j.files.Takes(dir); err != nil {
		return nil, fmt.Errorf("making a record: %w", err)
	}
	return j, nil
}

// Path is where the record is; empty before the first request.
func (j *Journal) Path() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log == nil {
		return ""
	}
	return j.log.Name()
}

// open writes the first line. Its file is 0600, and has a name that no other run has.
func (j *Journal) open() error {
	log, err := j.files.CreateLog(j.dir, "fix-"+j.header.Started.UTC().Format("20060102T150405")+"-", ".jsonl")
	if err != nil {
		return fmt.Errorf("making a record: %w", err)
	}
	j.log = log
	if err := j.line(j.header); err != nil {
		j.log = nil
		return errors.Join(err, log.Discard())
	}
	if j.Opened != nil {
		j.Opened(log.Name())
	}
	return nil
}

// Begin notes a request that is about to be sent, and returns its number.
func (j *Journal) Begin(f plan.Fix, s fix.Step, at time.Time) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log == nil {
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
	if j.log == nil {
		return nil
	}
	return j.log.Close()
}

func (j *Journal) line(v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		err = j.log.Append(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing the record %s: %w", j.log.Name(), err)
	}
	return nil
}
