package words

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// stoppedWords are about runs that their user stops, and what keeps the operator from it.
func stoppedWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ApplicationDeleted:
		what := "application"
		if d.Connect {
			what = "SparkConnect"
		}
		p := Phrase{Says: fmt.Sprintf("the %s was deleted%s and is terminating", what, ago(d.Ago))}
		switch {
		case d.Pod != "" && len(d.Holds) > 0:
			p.Says += fmt.Sprintf("; it waits for driver pod %s, which %s holds", d.Pod, finalizers(d.Holds))
			p.Do = []command.Command{command.Do("see whether a controller will remove %s", finalizers(d.Holds)).
				With("kubectl sparkdoctor scan %s/%s -n %s --checks SD2005", strings.ToLower(c.Subject.Kind), c.Subject.Name, c.Subject.Namespace)}
		case d.Pod != "":
			p.Says += "; it waits for driver pod " + d.Pod
		case len(d.Finalizers) > 0:
			p.Says += "; it waits for " + finalizers(d.Finalizers)
		}
		p.Says += writtenBy(d.Writers)
		return p, true
	case mechanism.ApplicationGone:
		return applicationGone(c, &d), true
	case mechanism.NoNewRun:
		return Phrase{fmt.Sprintf("the spec was changed while it ran (%s, the last at %s), so the operator deleted that run's driver; it is in "+
			"PENDING_RERUN since, and no new run began", phrase.Counted(d.Changes, "time"), d.Last.Format(time.TimeOnly)) + writtenBy(d.Writers),
			[]command.Command{command.Do("if no run begins within minutes, delete the application and apply its last spec once")}}, true
	case mechanism.SpecChanged:
		return specChangedWords(c.Subject, d), true
	case mechanism.HeldByFinalizers:
		what, held := "starts the next run", strings.Join(d.Finalizers, ", ")
		if d.Resumes {
			what = "resumes the application"
		}
		return Phrase{fmt.Sprintf("the operator %s when pod %s is gone, which was deleted%s and is held by finalizer %s", what,
			c.Subject.Name, ago(d.Ago), held), []command.Command{
			command.Do("find out why the controller of %s does not remove it", held).On("describe", c.Subject)}}, true
	case mechanism.DeletionRefused:
		return Phrase{fmt.Sprintf("spec.suspend is true, but the driver still runs: the operator has tried %d times to suspend the application, "+
			"and pod %s is not deleted; a role or an admission policy can forbid that", d.Tries, c.Subject.Name), []command.Command{
			command.Do(`read in the log of the operator's controller what follows "failed to delete spark resources"`)}}, true
	default:
		return Phrase{}, false
	}
}

func specChangedWords(app snapshot.Ref, d mechanism.SpecChanged) Phrase {
	p := Phrase{Says: fmt.Sprintf("the operator stops the run (INVALIDATING) and submits it again because the spec was changed "+
		"(generation %d)", d.Generation) + synced(&d.Sync)}
	if d.Left != "" {
		p.Says += fmt.Sprintf("; pod %s of that run is not deleted, and if it stays, the operator was refused and will not retry", d.Left)
		p.Do = append(p.Do, command.Do("scan for a stuck application").With("kubectl sparkdoctor scan -n %s", app.Namespace))
	}
	p.Says += writtenBy(d.Writers)
	switch {
	case d.Sync.Of.Name != "":
		p.Do = append(p.Do, command.Do("let Argo CD sync between runs only (a sync window): each change of the spec but suspend begins the run "+
			"from the start").With("argocd app history %s", d.Sync.Of.Name))
		return p
	case len(d.Writers) > 0:
		p.Do = append(p.Do, command.Do("change the spec, or let it be synced, between runs only: each change begins the run from the start"))
		return p
	}
	p.Do = append(p.Do, command.Do("see who changed the spec").
		With("kubectl -n %s get sparkapplication %s -o yaml --show-managed-fields", app.Namespace, app.Name))
	return p
}

// synced says which Argo CD Application wrote a spec, when, and what of it was new.
func synced(d *mechanism.Sync) string {
	if d.Of.Name == "" {
		return ""
	}
	if d.At.IsZero() {
		return fmt.Sprintf("; Argo CD Application %s applies it", d.Of.Name)
	}
	how, changed := "a sync", make([]string, 0, len(d.Changed))
	if d.Automated {
		how = "an automated sync"
	}
	for _, one := range d.Changed {
		changed = append(changed, fmt.Sprintf("%s %s to %s", one.Name, one.From, one.To))
	}
	says := fmt.Sprintf(" by %s of Argo CD Application %s at %s", how, d.Of.Name, d.At.Format(time.TimeOnly))
	if len(changed) > 0 {
		says += ": " + strings.Join(changed, ", ")
	}
	return says
}

// writtenBy says who wrote a spec, within a sentence.
func writtenBy(all []mechanism.Writer) string {
	if len(all) == 0 {
		return ""
	}
	text := make([]string, 0, len(all))
	for _, w := range all {
		text = append(text, w.String())
	}
	return "; spec written by " + strings.Join(text, ", ")
}

// finalizers names them: "finalizer a/b", "finalizers a/b, c/d".
func finalizers(names []string) string {
	return phrase.Verb(len(names), "finalizer ", "finalizers ") + strings.Join(names, ", ")
}
