// Package logging sends what client-go logs by itself to stderr, without secrets: it quotes URLs and what servers answer.
package logging

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// Highest is the highest level that has an effect. From 8 on client-go logs whole bodies (k8s.io/client-go/rest/request.go@v0.37.2),
// among them those of Secrets.
const Highest = 7

// To sends the log to a writer, at a level as kubectl's -v has it: 6 shows requests, 7 their headers.
func To(w io.Writer, level int) error {
	level = min(level, Highest)
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	if err := flags.Set("v", strconv.Itoa(level)); err != nil {
		return err
	}
	klog.SetLogger(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(redacting{w, level == 0}), textlogger.Verbosity(level))))
	return nil
}

// Level is the value of the flag -v: setting it sets the level of the log to To.
type Level struct {
	to    io.Writer
	level int
}

// NewLevel returns the value of a flag that sends the log to a writer.
func NewLevel(to io.Writer) *Level { return &Level{to: to} }

// Set is of pflag.Value.
func (l *Level) Set(text string) error {
	level, err := strconv.Atoi(text)
	if err != nil || level < 0 {
		return fmt.Errorf("%q is not a level such as 6", text)
	}
	l.level = level
	return To(l.to, level)
}

// String is of pflag.Value.
func (l *Level) String() string { return strconv.Itoa(l.level) }

// Type is of pflag.Value.
func (l *Level) Type() string { return "level" }

// redacting takes secrets out of what is written to it. A log writes a line at a time.
type redacting struct {
	to    io.Writer
	quiet bool // without what the command says by itself
}

// returned is what client-go logs of an error that it returns as well (k8s.io/client-go/rest/request.go@v0.37.2): one error, one line.
const returned = "\"Unexpected error when reading response body\""

func (r redacting) Write(line []byte) (int, error) {
	if r.quiet && bytes.Contains(line, []byte(returned)) {
		return len(line), nil
	}
	// A value of several lines is indented by tabs (k8s.io/klog/v2/internal/serialize/keyvalues.go@v2.140.0), which YAML has none of.
	text := strings.ReplaceAll(string(line), "\n\t", "\n    ")
	if _, err := io.WriteString(r.to, redact.Text(text)); err != nil {
		return 0, err
	}
	return len(line), nil
}
