package cli

import (
	"context"
	"io"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// whyEach writes a line for each application that failed, hangs or waits.
func (f *scanFlags) whyEach(ctx context.Context, o scan.WhyOptions, outs []output, streams genericiooptions.IOStreams) error {
	cases, err := scan.WhyEach(ctx, o)
	if err != nil {
		return err
	}
	l := &casefile.List{APIVersion: report.APIVersion, Kind: casefile.ListKind, Tool: tool(), Items: []*casefile.Document{},
		Metadata: report.Metadata{CreationTimestamp: cases.AsOf}, Fine: cases.Fine, Completed: cases.Done, Older: cases.Older}
	for _, file := range cases.Files {
		l.Items = append(l.Items, casefile.New(file, tool(), o.Asked).PatchedBy(f.patchLine(file.Subject, "")))
	}
	l.AskLine = f.askLine(l)
	for _, u := range cases.Unread {
		l.Unread = append(l.Unread, casefile.Unread{Subject: u.Subject, Reason: u.Err.Error()})
	}
	for _, u := range cases.Unseen {
		l.Unseen = append(l.Unseen, casefile.UnseenOf(u, o.Asked))
	}
	render := func(w io.Writer, out output, style terminal.Style) error {
		return formats.WriteCaseList(w, l, out.format, out.expr, style)
	}
	if err := writeEach(outs, streams, &f.showFlags, render); err != nil {
		return err
	}
	if !l.Answered() {
		return &codeError{code: exitIncomplete}
	}
	return nil
}

// askLine is the command that has the answer of one that is listed: of the only one, or with names to fill in.
func (f *scanFlags) askLine(l *casefile.List) string {
	asked := f.asked()
	asked.Namespace = ""
	if len(l.Items) != 1 {
		return asked.In("kubectl sparkdoctor why NAMESPACE/NAME")
	}
	o := l.Items[0].Subject
	if o.Kind == "SparkApplication" && l.Items[0].Name() == o.Namespace+"/"+o.Name { // no other operator has one of the name
		return asked.In(command.Line("kubectl sparkdoctor why %s -n %s", o.Name, o.Namespace))
	}
	return asked.In(command.Line("kubectl sparkdoctor why %s/%s -n %s", grouped(o), o.Name, o.Namespace))
}
