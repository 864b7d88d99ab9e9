package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// behindService has the words for a connection that failed, and the Service that it was to.
func behindService(d cause.Detail) Phrase {
	switch d := d.(type) {
	case mechanism.ServiceElsewhere:
		return serviceElsewhere(&d)
	case mechanism.ServerNotReady:
		return serverNotReady(&d)
	case mechanism.PortUnserved:
		return portUnserved(&d)
	case mechanism.UnresolvedBefore:
		says, where := fmt.Sprintf("host %s does not resolve", d.Host), "the name that the application gives"
		if d.Setting != "" {
			says, where = says+", which spec.sparkConf["+d.Setting+"] names", "it there"
		}
		return Phrase{says, []command.Command{command.Do("correct %s; of a Service, the name is NAME.NAMESPACE.svc", where)}}
	default:
		return Phrase{}
	}
}

func serviceElsewhere(d *mechanism.ServiceElsewhere) Phrase {
	says := fmt.Sprintf("Service %s is in namespace %s, not in %s (host %s)", d.Service.Name, d.Service.Namespace, d.Asked, d.Host)
	if d.Short {
		says = fmt.Sprintf("host %s is looked up in namespace %s, and Service %s is in namespace %s", d.Host, d.Asked, d.Service.Name,
			d.Service.Namespace)
	}
	where := "where the application names it"
	if d.Setting != "" {
		where = "in spec.sparkConf[" + d.Setting + "]"
	}
	return Phrase{says, []command.Command{command.Do("name the namespace %s, as in %s.%s.svc, %s", d.Service.Namespace, d.Service.Name,
		d.Service.Namespace, where)}}
}

func portUnserved(d *mechanism.PortUnserved) Phrase {
	has := "port " + d.PortsText()
	if len(d.Has) > 1 {
		has = "ports " + d.PortsText()
	}
	where := "where the application names it"
	if d.Setting != "" {
		where = "in spec.sparkConf[" + d.Setting + "]"
	}
	do := command.Do("name one of its ports %s", where)
	if len(d.Has) == 1 {
		do = command.Do("name port %s %s", d.PortsText(), where)
	}
	return Phrase{fmt.Sprintf("Service %s has %s, and not %d", inNamespace(d.Service), has, d.Port), []command.Command{do}}
}

func serverNotReady(d *mechanism.ServerNotReady) Phrase {
	says := fmt.Sprintf("Service %s has no pod that is ready: %s", inNamespace(d.Service), unready(&d.Pod))
	if d.Pods > 1 {
		says = fmt.Sprintf("none of the %s of Service %s is ready: %s", phrase.Counted(d.Pods, "pod"), inNamespace(d.Service), unready(&d.Pod))
	}
	do := command.Do("see why it is not ready, and run the application again when it is").
		With("kubectl -n %s describe pod %s", d.Pod.Namespace, d.Pod.Name)
	if d.Pod.Ended != "" {
		do = command.Do("see why it ends, and run the application again when it is ready").
			With("kubectl -n %s logs %s --previous", d.Pod.Namespace, d.Pod.Name)
	}
	return Phrase{says, []command.Command{do}}
}

// unready is a pod that is not ready, and why.
func unready(p *app.Backend) string {
	says := p.Name
	switch {
	case p.Waiting != "":
		says += " waits in " + p.Waiting
	case p.Phase != "" && p.Phase != "Running":
		says += " is " + string(p.Phase)
	default:
		says += " is not"
	}
	if p.Ended != "" {
		says += fmt.Sprintf(" (%s, exit code %d", p.Ended, p.Code)
		if p.Restarts > 0 {
			says += fmt.Sprintf(", restarted %s", times(int(p.Restarts)))
		}
		says += ")"
	}
	return says
}

func inNamespace(r snapshot.Ref) string { return r.Name + " (namespace " + r.Namespace + ")" }
