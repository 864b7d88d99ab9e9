package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// operatorWords are about an application that the operator has not taken up.
func operatorWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.StatusUnwritten:
		return statusUnwritten(c, d), true
	case mechanism.OperatorRefuses:
		next := "mend what the operator's log names"
		if d.Forbidden {
			next = "grant the operator's service account what its log names"
		}
		if d.EtcdFull {
			return Phrase{Says: "the operator does not submit it: " + fullEtcd, Do: []command.Command{command.Do(mendEtcd)}}, true
		}
		return Phrase{Says: "the operator does not submit it: its log says " + sentence(d.Said),
			Do: []command.Command{command.Do("%s", next)}}, true
	case mechanism.OperatorCrashes:
		how := ""
		if d.Last != nil {
			how = fmt.Sprintf(", exit code %d (%s)", d.Last.Code, d.Last.Reason)
		}
		return Phrase{Says: fmt.Sprintf("the operator does not run, so nothing submits it: container %s of its pod %s crashes again and again "+
			"(CrashLoopBackOff%s)", d.Container, c.Subject.Name, how),
			Do: []command.Command{command.Do("read why it ends, and mend its arguments, image, permissions or memory").
				With("kubectl -n %s logs %s -c %s --previous", c.Subject.Namespace, c.Subject.Name, d.Container)}}, true
	case mechanism.Undecodable:
		return Phrase{Says: fmt.Sprintf("the operator cannot decode this application, and so handles none: %s %s", d.Path, d.What),
			Do: []command.Command{command.Do("correct %s", d.Path).On("edit", c.Subject), scanOperator(c.Subject)}}, true
	case mechanism.OthersUndecodable:
		return othersUndecodable(d), true
	case mechanism.ListUndecodable:
		return listUndecodable(d), true
	case mechanism.NamespaceUnwatched:
		return namespaceUnwatched(c, d), true
	default:
		return Phrase{}, false
	}
}

// scanOperator looks for faults of the operator that an application suffers from.
func scanOperator(application snapshot.Ref) command.Command {
	return command.Do("check the operator").With("kubectl sparkdoctor scan -n %s", application.Namespace)
}

func statusUnwritten(c *cause.Cause, d mechanism.StatusUnwritten) Phrase {
	says := fmt.Sprintf("the operator has not written a status%s: it does not watch namespace %s, is down, or has not picked it up",
		lasting(d.Age), c.Subject.Namespace)
	if d.Early {
		says = fmt.Sprintf("not started yet: created%s, and the operator has not picked it up", ago(d.Age))
	}
	if d.Manifest {
		return Phrase{Says: "this is a manifest without a status: it does not tell what became of the application", Do: []command.Command{
			command.Do("ask the cluster, or a dump of it").With("kubectl sparkdoctor why %s -n %s", c.Subject.Name, c.Subject.Namespace),
			command.Do("check the manifest itself with scan -f")}}
	}
	if c.Subject.Kind == "SparkConnect" {
		return Phrase{Says: says}
	}
	next := []command.Command{scanOperator(c.Subject)}
	if d.Operator.Name != "" {
		next = append(next, command.Do("read what the operator's log says of it").
			With("kubectl -n %s logs %s --since=1h", d.Operator.Namespace, d.Operator.Name))
	}
	return Phrase{Says: says, Do: next}
}

func othersUndecodable(d mechanism.OthersUndecodable) Phrase {
	var p Phrase
	var broken []string
	for _, b := range d.Others {
		broken = append(broken, fmt.Sprintf("%s (%s)", b.Object, b.Text))
		p.Do = append(p.Do, command.Do("correct or delete %s", b.Object.Name).On("edit", b.Object))
	}
	p.Says = "the operator cannot decode " + strings.Join(broken, ", ") + ", and so handles no application that it lists, this one included"
	return p
}

func listUndecodable(d mechanism.ListUndecodable) Phrase {
	p := Phrase{Says: "the operator cannot decode one of the applications that it lists, and so handles none, this one included: " +
		sentence(d.Said), Do: []command.Command{
		command.Do("find the application that it cannot decode").With("kubectl sparkdoctor scan --checks SD5003")}}
	if d.Near.Name != "" {
		p.Says += "; near " + d.Near.Namespace + "/" + d.Near.Name
		p.Do = append(p.Do, command.Do("look at %s, near which it stops", d.Near.Name).
			With("kubectl -n %s get sparkapplication %s -o yaml", d.Near.Namespace, d.Near.Name))
	}
	return p
}

func namespaceUnwatched(c *cause.Cause, d mechanism.NamespaceUnwatched) Phrase {
	namespace := c.Subject.Namespace
	var told []string
	for _, in := range d.Operators {
		told = append(told, fmt.Sprintf("operator %s of namespace %s watches %s", in.Stated, in.Namespace, in.Scope()))
	}
	p := Phrase{Says: fmt.Sprintf("no operator that was seen watches namespace %s: %s; no status%s", namespace, phrase.FirstOf(told),
		lasting(d.Age))}
	if len(d.Operators) == 1 && d.Operators[0].NamespaceSelector() == "" && !d.Operators[0].Legacy() {
		in := d.Operators[0]
		value := command.JobNamespaces(in, append(slices.Clone(in.Listed()), namespace))
		if in.Controller.Kind == "Pod" {
			in = nil // what made it was not seen
		}
		p.Do = append(p.Do, command.Set(in, value))
	} else {
		p.Do = append(p.Do, command.Do("let the operator that should run it watch namespace %s", namespace))
	}
	return p
}
