package apply

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Journal writes a record. Every line is on disk before the method returns.
type Journal struct {
	Path string

	mu     sync.Mutex
	file   *os.File
	number int
}

// NewJournal starts a record in a directory of the user's own. If it cannot be written nothing must be applied.
func NewJournal(dir string, h fix.Header) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory for records: %w", err)
	}
	name := "fix-" + h.Started.UTC().Format("20060102T150405") + "-*.jsonl"
	file, err := os.CreateTemp(dir, name) // 0600, and a name that no other run has
	if err != nil {
		return nil, fmt.Errorf("making a record: %w", err)
	}
	j := &Journal{Path: file.Name(), file: file}
	if err := j.line(h); err != nil {
		return nil, err
	}
	d, err := os.Open(filepath.Clean(dir))
	if err == nil {
		_ = d.Sync() // not every file system can; the file itself is synced
		_ = d.Close()
	}
	return j, nil
}

// Begin notes a request that is about to be sent, and returns its number.
func (j *Journal) Begin(f fix.Fix, s fix.Step, at time.Time) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.number++
	return j.number, j.line(fix.Begin(j.number, f, s, at))
}

// End notes how a request ended.
func (j *Journal) End(number, id int, end fix.End, cause error, at time.Time) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := fix.Entry{Number: number, Fix: id, At: at, End: end}
	if cause != nil {
		e.Error = snapshot.Redact(cause.Error())
	}
	return j.line(e)
}

// Close ends the record.
func (j *Journal) Close() error { return j.file.Close() }

func (j *Journal) line(v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = j.file.Write(append(text, '\n'))
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("writing the record %s: %w", j.Path, err)
	}
	return nil
}
