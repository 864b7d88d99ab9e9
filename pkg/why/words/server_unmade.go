package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// serverUnmadeWords are about a SparkConnect of which the operator has not made all parts.
func (t Terms) serverUnmadeWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ServerNotSeen:
		return Phrase{Says: fmt.Sprintf("%s by its status, and its server pod %s was not seen", d.State, d.Pod),
			Do: []command.Command{command.Do("add the pods of the namespace").
				With("kubectl -n %s get pods -l sparkoperator.k8s.io/connect-name=%s -o yaml", c.Subject.Namespace, c.Subject.Name)}}, true
	case mechanism.ServerUncreated:
		return serverUncreated(c, d), true
	case mechanism.OperatorCannotCreate:
		if d.Refusal == nil {
			return Phrase{Says: fmt.Sprintf("the operator cannot create the %s: %s", d.What, sentence(d.Said)),
				Do: []command.Command{command.Do("correct what the operator's log names")}}, true
		}
		made := TheServer()
		if !d.Server {
			made.pod = "it"
		}
		p := t.Refused(d.Refusal, made)
		p.Says = fmt.Sprintf("the operator cannot create the %s: %s", d.What, sentence(p.Says))
		return p, true
	case mechanism.ServiceUnnamable:
		if d.Name == "" {
			return Phrase{Says: "the operator cannot create the Service: spec.server.service has no metadata.name", Do: []command.Command{
				command.Do("name the Service in spec.server.service.metadata.name, or remove spec.server.service")}}, true
		}
		return Phrase{Says: fmt.Sprintf("the operator cannot create the Service: the API server takes no Service of the name %q (%s)", d.Name,
			d.Rules), Do: []command.Command{command.Do("create the SparkConnect again under a name that starts with a letter and uses only a-z, " +
			"0-9 and '-' (max 56)")}}, true
	case mechanism.ServerImageUnset:
		return Phrase{Says: "the operator creates no server pod because the spec names no image for it", Do: []command.Command{
			t.do("set {spec.image}, or the image of container spark-kubernetes-driver in spec.server.template")}}, true
	case mechanism.ServerAccountMissing:
		return Phrase{Says: fmt.Sprintf("service account %s does not exist in namespace %s, so the API server refuses the server pod", d.Account,
			c.Subject.Namespace), Do: []command.Command{
			command.Do("create service account %s, or name one that exists in spec.server.template", d.Account).
				With("kubectl -n %s get serviceaccounts", c.Subject.Namespace)}}, true
	case mechanism.ServerQuotaLacks:
		return serverQuotaLacks(c, d), true
	default:
		return Phrase{}, false
	}
}

func serverUncreated(c *cause.Cause, d mechanism.ServerUncreated) Phrase {
	var p Phrase
	switch {
	case d.ConfigMap != "":
		p.Says = fmt.Sprintf("the operator took it up, because its ConfigMap %s exists, but does not create server pod %s", d.ConfigMap, d.Pod)
	case d.Gone:
		p.Says = fmt.Sprintf("server pod %s is gone, and the operator does not create it again", d.Pod)
	default:
		p.Says = fmt.Sprintf("the operator has not written a status%s: it does not watch namespace %s, is down, or fails at it", lasting(d.Age),
			c.Subject.Namespace)
	}
	if d.Operator.Name != "" {
		p.Do = append(p.Do, command.Do("read in the operator's log why: a SparkConnect gets no events").
			With("kubectl -n %s logs %s --since=1h", d.Operator.Namespace, d.Operator.Name))
	}
	p.Do = append(p.Do, scanOperator(c.Subject))
	return p
}

func serverQuotaLacks(c *cause.Cause, d mechanism.ServerQuotaLacks) Phrase {
	if d.Unset != "" {
		return Phrase{Says: fmt.Sprintf("ResourceQuota %s counts %s, which the server's container does not set, so the API server refuses the "+
			"server pod (must specify %s)", c.Subject.Name, d.Resource, d.Resource),
			Do: []command.Command{command.Do("set %s of the container in spec.server.template", d.Unset)}}
	}
	return Phrase{Says: fmt.Sprintf("ResourceQuota %s has no room for the server pod: it asks for %s of %s, and %s of %s are used",
		c.Subject.Name, d.Want, d.Resource, d.Used, d.Hard),
		Do: []command.Command{command.Do("free quota %s, raise it, or lower the resources of the container in spec.server.template",
			c.Subject.Name).On("describe", c.Subject)}}
}
