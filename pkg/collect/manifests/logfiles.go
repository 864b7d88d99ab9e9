package manifests

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// maxLogFile bounds how much of a file is read; of what lies behind, nothing is known.
const maxLogFile = 1 << 30

// logFile is the name of a log of one container: NAMESPACE_POD_CONTAINER[.previous].log. No name of Kubernetes has an underscore.
var logFile = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // made once, never changed
	return regexp.MustCompile(`^([a-z0-9-]+)_([a-z0-9.-]+)_([a-z0-9-]+?)(\.previous)?\.(?:log|txt)$`)
})

// dumped begins and ends the log of a container in NAMESPACE/POD/logs.txt of kubectl cluster-info dump
// (pkg/cmd/clusterinfo/clusterinfo_dump.go@kubectl-v0.36.3). Without --output-directory it is between the JSON on stdout.
var dumped = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // made once, never changed
	return regexp.MustCompile(`^==== (START|END) logs for container (\S+) of pod ([^/\s]+)/(\S+) ====\n?$`)
})

// isLog reports whether a file is known for the log of a container by its name. Of kubectl cluster-info dump --output-directory it is
// the directory that says whose.
func isLog(name string) bool {
	base := path.Base(filepath.ToSlash(name))
	return base == "logs.txt" || logFile().MatchString(base)
}

// log reads a file with logs.
func (b *builder) log(name string, r io.Reader) error {
	if m := logFile().FindStringSubmatch(path.Base(filepath.ToSlash(name))); m != nil {
		text, err := whole.ReadLog(r, whole.TailBytes, maxLogFile)
		err = cmp.Or(err, b.hold(text, heldLog{pod: snapshot.Ref{Namespace: m[1], Name: m[2]}, container: m[3], previous: m[4] != ""}))
		return logError(name, err)
	}
	in := bufio.NewReaderSize(io.LimitReader(r, maxLogFile), buffered)
	for {
		line, err := in.ReadSlice('\n')
		if m := dumped().FindSubmatch(line); m != nil && string(m[1]) == "START" {
			one := heldLog{pod: snapshot.Ref{Namespace: string(m[3]), Name: string(m[4])}, container: string(m[2])}
			var text whole.Text
			if text, err = whole.ReadLog(&section{in: in}, whole.TailBytes, maxLogFile); !refused(text) {
				err = cmp.Or(err, b.hold(text, one))
			}
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return logError(name, err)
		}
	}
}

// refused tells what kubectl writes where it could not read a log (clusterinfo_dump.go@kubectl-v0.36.3).
func refused(t whole.Text) bool {
	line, rest, _ := bytes.Cut(t.Tail, []byte("\n"))
	return len(rest) == 0 &&
		(bytes.HasPrefix(line, []byte("Request log error: ")) || bytes.HasPrefix(line, []byte("Create log request error: ")))
}

func logError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: reading: %w", name, err)
}

// section is the log of one container within a file: up to the line that ends it, or that begins the next one.
type section struct {
	in   *bufio.Reader
	rest []byte // of a line
	done bool
	long bool // the line goes on
}

func (s *section) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.done {
			return 0, io.EOF
		}
		line, err := s.in.ReadSlice('\n')
		if !s.long && bytes.HasPrefix(line, []byte("==== ")) && dumped().Match(line) {
			s.done = true
			return 0, io.EOF
		}
		s.long = errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !s.long {
			s.done = true
		}
		s.rest = line
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
