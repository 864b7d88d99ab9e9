package main

import (
	"io"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// logTo sends what client-go logs by itself to a writer, without secrets: it quotes URLs and what servers answer.
func logTo(w io.Writer) {
	klog.SetLogger(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(redacting{w}))))
}

// redacting takes secrets out of what is written to it. A log writes a line at a time.
type redacting struct{ to io.Writer }

func (r redacting) Write(line []byte) (int, error) {
	if _, err := io.WriteString(r.to, redact.Text(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}
