package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// containerWords are about containers that a pod waits for on its node.
func (t Terms) containerWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ImagePull:
		return Phrase{Says: fmt.Sprintf("%s%s: image %s cannot be pulled (%s)%s: %s", who(d.Waiting), cannot(d.Waiting), d.Image, d.Reason,
			pullBecause(c, &d), pullSaid(&d)), Do: []command.Command{t.pullNext(c, &d)}}, true
	case mechanism.ImagePulls:
		return Phrase{Says: fmt.Sprintf("%s waits for its image%s: %s", who(d.Waiting), lasting(d.Pulling), sentence(d.Said))}, true
	case mechanism.ContainerUnmade:
		if d.AsRoot {
			return Phrase{Says: fmt.Sprintf("%s%s (%s): %s", who(d.Waiting), cannot(d.Waiting), d.Reason, sentence(d.Fault)),
				Do: []command.Command{command.Do("set runAsUser in the securityContext of the %s to the number of a user other than root "+
					"(185 in Spark's images)", d.Who.Role)}}, true
		}
		return Phrase{Says: fmt.Sprintf("%s%s (%s): %s", who(d.Waiting), cannot(d.Waiting), d.Reason, missing(c, d.Absent, d.Has, d.Said)),
			Do: []command.Command{keyNext(c, d)}}, true
	case mechanism.ContainerCrashes:
		return containerCrashes(c, &d), true
	case mechanism.InitContainerRuns:
		return Phrase{Says: fmt.Sprintf("%s waits for init container %s, which runs%s", who(d.Waiting), d.Container, lasting(d.Running)),
			Do: []command.Command{command.Do("read what the init container waits for").With("kubectl -n %s logs %s -c %s", c.Subject.Namespace,
				c.Subject.Name, d.Container)}}, true
	default:
		return Phrase{}, false
	}
}

func containerCrashes(c *cause.Cause, d *mechanism.ContainerCrashes) Phrase {
	says := fmt.Sprintf("%s%s: its container %s keeps ", who(d.Waiting), cannot(d.Waiting), d.Container)
	switch {
	case d.OOMKilled:
		says += fmt.Sprintf("exceeding its memory limit (OOMKilled, %s)", restarts(d.Restarts))
	case d.Ended:
		says += fmt.Sprintf("crashing (%s, last with exit code %d)", restarts(d.Restarts), d.Exit)
	default:
		says += fmt.Sprintf("crashing (%s)", restarts(d.Restarts))
	}
	return Phrase{Says: says, Do: []command.Command{command.Do("read why container %s exits", d.Container).
		With("kubectl -n %s logs %s -c %s --previous", c.Subject.Namespace, c.Subject.Name, d.Container)}}
}

// missing is what the kubelet says of an object that it looked for in vain.
func missing(c *cause.Cause, a mechanism.Absent, has []string, said string) string {
	if len(has) > 0 {
		return sentence(said) + ", which has " + phrase.FirstOf(has)
	}
	if a.Name != "" && a.Key == "" {
		return fmt.Sprintf("%s %q does not exist in namespace %s (not found)", a.Kind, a.Name, c.Subject.Namespace)
	}
	return sentence(said)
}

// keyNext is what to do about an object, or a key of one, that is not there: where the spec names the key, and what writes the Secret.
func keyNext(c *cause.Cause, d mechanism.ContainerUnmade) command.Command {
	fix, a := &d.Fix, d.Absent
	if len(fix.Refs) == 0 && fix.Owner.Name == "" {
		return absentNext(c, a, d.Has)
	}
	named, variables := []string{}, []string{}
	for _, r := range fix.Refs {
		if field := "spec." + r.Field; !slices.Contains(named, field) {
			named = append(named, field)
		}
		if !slices.Contains(variables, r.Variable) {
			variables = append(variables, r.Variable)
		}
	}
	change, add := "", "add key "+a.Key+" to Secret "+a.Name
	if fix.Owner.Name != "" {
		add = fmt.Sprintf("add key %s in %s %s, which writes the Secret", a.Key, fix.Owner.Kind, fix.Owner.Name)
	}
	switch {
	case len(named) > 0 && fix.Near != "":
		change = fmt.Sprintf("set the key of %s to %s in %s, or ", strings.Join(variables, " and "), fix.Near, strings.Join(named, " and "))
	case len(named) > 0:
		change = fmt.Sprintf("correct the key of %s in %s, or ", strings.Join(variables, " and "), strings.Join(named, " and "))
	}
	return command.Do("%s%s", change, add)
}

func absentNext(c *cause.Cause, a mechanism.Absent, has []string) command.Command {
	kind := strings.ToLower(a.Kind)
	switch {
	case a.Key != "" && a.Name != "" && len(has) == 0 && kind != "config": // describe prints the keys of a Secret, and no value
		return command.Do("add key %s to the %s, or correct the key in the spec", a.Key, a.Kind).
			With("kubectl -n %s describe %s %s", c.Subject.Namespace, kind, a.Name)
	case a.Key != "":
		return command.Do("add key %s to the %s, or correct the key in the spec", a.Key, a.Kind)
	case a.Name != "":
		return command.Do("create %s %s, or correct its name in the spec", a.Kind, a.Name).
			With("kubectl -n %s get %s", c.Subject.Namespace, strings.ToLower(a.Kind))
	default:
		return command.Do("correct what the kubelet names in the spec of the application")
	}
}
