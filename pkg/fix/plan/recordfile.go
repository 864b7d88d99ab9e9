package plan

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// maxLine bounds a line of a record: a request removes 4,900 entries of executors.
const maxLine = 16 << 20

// ReadRecord reads a record. Whoever hands it in is not trusted: a step that fix would not have taken is Refused with its
// line and field; any other error means that it is no record at all. A last line that is not whole is left out, and the record
// is Torn.
func ReadRecord(r io.Reader) (Record, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	var out Record
	lines.Split(out.wholeLines)
	last := 0
	for n := 1; lines.Scan(); n++ {
		if err := input.ValuesOfJSON(lines.Bytes()); err != nil {
			return Record{}, inLine(n, err)
		}
		if n == 1 {
			if err := out.Header.read(lines.Bytes()); err != nil {
				return Record{}, err
			}
			continue
		}
		var e Entry
		if err := strict(lines.Bytes(), &e); err != nil {
			return Record{}, inLine(n, err)
		}
		if err := e.check(&last); err != nil {
			return Record{}, inLine(n, err)
		}
		out.Entries = append(out.Entries, e)
	}
	switch err := lines.Err(); {
	case err != nil:
		return Record{}, fmt.Errorf("is not a sparkdoctor record: %w", err)
	case out.Kind == "":
		return Record{}, errors.New("is empty, or was cut off before anything was written")
	default:
		return out, nil
	}
}

// wholeLines splits into lines, without a last one that is not whole: one without an end, or one of which a part never reached the disk,
// which then holds zeros there; JSON has none.
func (r *Record) wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	end := bytes.IndexByte(data, '\n')
	switch {
	case atEOF && len(data) > 0 && end < 0:
		r.Torn = true
		return len(data), nil, nil
	case end >= 0 && end == len(data)-1 && bytes.IndexByte(data, 0) >= 0:
		if !atEOF {
			return 0, nil, nil // it may not be the last one
		}
		r.Torn = true
		return len(data), nil, nil
	default:
		return bufio.ScanLines(data, atEOF)
	}
}

func inLine(n int, err error) error {
	var refused *fix.Refused
	if errors.As(err, &refused) {
		return fix.Fault(fmt.Sprintf("line %d", n), "%s", refused.Reason)
	}
	return fmt.Errorf("line %d: %w", n, err)
}

func (h *Header) read(line []byte) error {
	var head struct{ APIVersion, Kind string }
	if err := json.Unmarshal(line, &head); err != nil || head.Kind != "FixRecord" {
		return errors.New("is not a sparkdoctor record")
	}
	if head.APIVersion != APIVersion {
		return fmt.Errorf("is a record of version %.40q, and this build reads %s", head.APIVersion, APIVersion)
	}
	if err := strict(line, h); err != nil {
		return inLine(1, err)
	}
	if h.Cluster.UID == "" {
		return inLine(1, fix.Fault("cluster.uid", "is missing"))
	}
	for i, f := range h.Fixes {
		for n, finding := range f.Findings {
			if finding.Check != "" && !checkID().MatchString(finding.Check) {
				return inLine(1, fix.Fault(fmt.Sprintf("fixes[%d].findings[%d].check", i, n), "is none of a check"))
			}
		}
	}
	return nil
}

// check holds an entry against the table. Requests are numbered in the order in which they were sent.
func (e *Entry) check(last *int) error {
	switch {
	case !slices.Contains([]End{"", Written, Failed, Unknown, AlreadySo}, e.End):
		return fix.Fault("end", "is %q", e.End)
	case (e.Step == nil) != (e.End != ""):
		return fix.Fault("step", "belongs to a request that begins, and only to one")
	case e.Step == nil && (e.Number < 1 || e.Number > *last):
		return fix.Fault("number", "is %d, of a request that did not begin", e.Number)
	case e.Step == nil:
		return nil
	case e.Number <= *last:
		return fix.Fault("number", "is %d, after %d", e.Number, *last)
	}
	*last = e.Number
	var err error
	e.allowed, err = fix.AllowanceOf("step", e.Step)
	return err
}
