package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// serverWords are about a server of Spark Connect that runs.
func serverWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ServerUnready:
		return serverUnready(c, d), true
	case mechanism.SidecarDown:
		return Phrase{Says: fmt.Sprintf("the server runs, but its pod is not ready because sidecar %s does not run", d.Container),
			Do: []command.Command{command.Do("repair the sidecar").With("kubectl -n %s logs %s -c %s", c.Subject.Namespace, c.Subject.Name,
				d.Container)}}, true
	case mechanism.IngressSpeaksHTTP1:
		return ingressSpeaksHTTP1(c, d), true
	case mechanism.ServerServes:
		return serverServes(d), true
	case mechanism.ServiceMissing:
		return Phrase{Says: fmt.Sprintf("the server is Ready, but its Service %q does not exist, so clients do not find it", c.Subject.Name),
			Do: []command.Command{scanOperator(d.Connect)}}, true
	case mechanism.ServicePortWrong:
		return Phrase{Says: fmt.Sprintf("the server is Ready, but it listens on port %s, and its Service %s forwards none to it", d.Port,
			c.Subject.Name), Do: []command.Command{command.Do("remove %s from spec.sparkConf: the operator forwards %s whatever it says",
			mechanism.PortSetting, mechanism.DefaultPort)}}, true
	case mechanism.ServiceSelectsOthers:
		labels := make([]string, 0, len(d.Labels))
		for _, l := range d.Labels {
			labels = append(labels, l.String())
		}
		return Phrase{Says: fmt.Sprintf("the server is Ready, but its Service %s does not select it, so clients do not reach it: it selects %s",
			c.Subject.Name, strings.Join(labels, "; ")),
			Do: []command.Command{command.Do("delete the Service: the operator creates it again with the labels of the pod").
				With("kubectl -n %s delete service %s", c.Subject.Namespace, c.Subject.Name)}}, true
	case mechanism.StatusBehind:
		return Phrase{Says: statusBehind(d), Do: []command.Command{scanOperator(c.Subject)}}, true
	default:
		return Phrase{}, false
	}
}

func serverUnready(c *cause.Cause, d mechanism.ServerUnready) Phrase {
	p := Phrase{Says: fmt.Sprintf("the server runs%s and its pod is not ready: %s", lasting(d.Up), sentence(d.Said)),
		Do: []command.Command{command.Do("look at what its probes and its other containers say").On("describe", c.Subject)}}
	switch {
	case d.Early:
		p.Says = fmt.Sprintf("the server started%s and is not ready yet", ago(d.Up))
	case d.Failing:
		p.Says = fmt.Sprintf("the server runs%s, but its pod is not ready: %s", lasting(d.Up), sentence(d.Said))
	}
	if d.Listens {
		p.Says += "; the server does listen by its log, so the probe asks for something else"
		p.Do = []command.Command{command.Do("point the readiness probe in spec.server.template at port %s", d.Port)}
	}
	return p
}

func serverServes(d mechanism.ServerServes) Phrase {
	with := phrase.Counted(d.Running, "executor")
	if d.Asked > 0 {
		with = fmt.Sprintf("%d of %d executors", d.Running, d.Asked)
	}
	p := Phrase{Says: fmt.Sprintf("server and %s run; the server runs%s", with, lasting(d.Up))}
	if d.Restarts > 0 {
		p.Says = fmt.Sprintf("server and %s run; the server restarted %s, last%s (%s)", with, times(d.Restarts), ago(d.Up), OfEnd(d.Last))
	}
	switch {
	case d.Listens:
		p.Says += ", and its log says that it listens"
	case d.Probed:
		p.Says += ", and its readiness probe succeeds"
	default:
		p.Says += "; Ready says only that its container runs, because it has no readiness probe"
		p.Do = []command.Command{
			command.Do("look whether the server listens: %q", logs.Listening).
				With("kubectl -n %s logs %s -c %s", d.Pod.Namespace, d.Pod.Name, d.Container),
			command.Do("add a readiness probe (tcpSocket, port %s) to container %s in spec.server.template", d.Port, d.Container),
		}
	}
	if d.Follow {
		p.Says = fmt.Sprintf("the server started%s, and executors follow", ago(d.Up))
	}
	return p
}

func statusBehind(d mechanism.StatusBehind) string {
	switch {
	case d.Gone:
		return fmt.Sprintf("the status says Ready, but there is no server pod %s: the operator has neither seen that nor replaced the pod", d.Pod)
	case d.State == "NotReady":
		return fmt.Sprintf("the status says NotReady, but the server has been ready%s: the operator does not update the status",
			lasting(d.Since))
	default:
		return fmt.Sprintf("the status still says Ready, although the server has not been ready%s", lasting(d.Since))
	}
}

func ingressSpeaksHTTP1(c *cause.Cause, d mechanism.IngressSpeaksHTTP1) Phrase {
	host := ""
	if d.Host != "" {
		host = " of host " + d.Host
	}
	return Phrase{Says: fmt.Sprintf("the server runs and is ready, but the ingress controller speaks HTTP/1 to it where the server speaks "+
		"gRPC (HTTP/2), so calls by the Ingress%s fail (502)", host), Do: []command.Command{command.Do(
		"annotate the Ingress%s with nginx.ingress.kubernetes.io/backend-protocol: \"GRPC\"", host).
		With("kubectl -n %s get ingress", c.Subject.Namespace)}}
}
