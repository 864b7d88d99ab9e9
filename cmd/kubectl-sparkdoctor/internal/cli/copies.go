package cli

import (
	"fmt"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// sayCopies says on stderr which objects the files hold more than once.
func sayCopies(streams genericiooptions.IOStreams, in collect.Input) {
	if n := in.Duplicates; n == 1 {
		say(streams, "dropped 1 duplicate: the input holds an equal or a newer copy of the object")
	} else if n > 1 {
		say(streams, "dropped %d duplicates: the input holds an equal or a newer copy of each object", n)
	}
	for i, d := range in.Differing {
		if i == fewNames {
			say(streams, "%d more objects have copies that differ", len(in.Differing)-i)
			return
		}
		object := snapshot.Ref{Kind: d.Object.Kind, Namespace: d.Object.Namespace, Name: d.Object.Name}
		say(streams, "%s", report.Escape(fmt.Sprintf("%s differs between %s and %s, and nothing tells which is newer: judging the last one", object, place(d.Dropped), place(d.Now))))
	}
}

func place(l snapshot.Location) string { return fmt.Sprintf("%s:%d", l.File, l.Line) }
