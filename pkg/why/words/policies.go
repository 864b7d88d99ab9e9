package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// policyBlocks says which policies allow no connection, and which of them is the one to add to.
func (t Terms) policyBlocks(c *cause.Cause, d *mechanism.PolicyBlocks) Phrase {
	from, to, names := podsOf(d.From), target(d.To), strings.Join(d.Policies, ", ")
	if d.Ingress.Closed && !d.Egress.Closed {
		from = receiver(d.To.Kind)
	}
	says := fmt.Sprintf("NetworkPolicy %s selects %s and allows no connection to %s", names, from, to)
	if len(d.Policies) > 1 {
		says = fmt.Sprintf("NetworkPolicies %s select %s and allow no connection to %s", names, from, to)
	}
	if lets := elsewhere(d); lets != "" {
		says = lets
	}
	if d.Open > 0 {
		return Phrase{says + fmt.Sprintf(", only to %d between executors; without spark.blockManager.port Spark takes a random one", d.Open),
			[]command.Command{command.Do("set spark.blockManager.port to %d, or allow all ports from executors to executors in NetworkPolicy %s",
				d.Open, c.Subject.Name).On("describe", c.Subject)}}
	}
	if a := d.Asked; a.Name != "" {
		says += fmt.Sprintf(", and %s is %d", a.Name, d.To.Port)
	}
	return Phrase{says, []command.Command{command.Do("%s", opens(d)).On("describe", c.Subject)}}
}

// elsewhere says on which ports a policy lets the same pods connect; empty: none does.
func elsewhere(d *mechanism.PolicyBlocks) string {
	lets := d.Egress.Elsewhere
	if lets.Policy == "" {
		lets = d.Ingress.Elsewhere
	}
	if lets.Policy == "" || d.Open > 0 {
		return ""
	}
	from, to, but := podsOf(d.From), "the driver", ""
	switch d.To.Kind {
	case mechanism.ClusterDNS:
		return ""
	case mechanism.DriverPort, mechanism.DriverFromExecutors:
		if d.Asked.Name == "" {
			but = fmt.Sprintf(", not on %d", d.To.Port)
		}
	case mechanism.ExecutorPort:
		if to = "each other"; d.Asked.Name == "" {
			but = fmt.Sprintf(", not on %d", d.To.Port)
		}
	case mechanism.OtherHost:
		to, but = d.To.Host, fmt.Sprintf(", not on %d", d.To.Port)
		if p := d.To.Peer; p.Name != "" {
			to, but = "namespace "+p.Namespace, but+fmt.Sprintf(" (%s %s)", strings.ToLower(p.Kind), p.Name)
		}
	}
	return fmt.Sprintf("NetworkPolicy %s lets %s connect to %s only on %s%s", lets.Policy, from, to, portsOf(lets.Ports), but)
}

// portsOf lists ports: "ports 7078 and 7079".
func portsOf(list []string) string {
	if len(list) == 1 {
		return "port " + list[0]
	}
	return "ports " + strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// opens says which policy gets which port, at which end of the connection.
func opens(d *mechanism.PolicyBlocks) string {
	port := "TCP port " + strconv.Itoa(int(d.To.Port))
	if slices.Contains(d.To.Shut, d.To.Port) && len(d.To.Shut) > 1 {
		all := make([]string, 0, len(d.To.Shut))
		for _, one := range d.To.Shut {
			all = append(all, strconv.Itoa(int(one)))
		}
		port = "TCP " + portsOf(all)
	}
	out, in := d.Egress.Elsewhere.Policy, d.Ingress.Elsewhere.Policy
	text := ""
	switch {
	case out != "" && out == in:
		text = fmt.Sprintf("add %s to egress and ingress of NetworkPolicy %s", port, out)
	case out != "" && in != "":
		text = fmt.Sprintf("add %s to egress of NetworkPolicy %s and to ingress of NetworkPolicy %s", port, out, in)
	case out != "" && d.Ingress.Closed:
		text = fmt.Sprintf("add %s to egress of NetworkPolicy %s, and allow it in ingress of %s", port, out, receiver(d.To.Kind))
	case out != "":
		text = fmt.Sprintf("add %s to egress of NetworkPolicy %s", port, out)
	case in != "" && d.Egress.Closed:
		text = fmt.Sprintf("add %s to ingress of NetworkPolicy %s, and allow it in egress of %s", port, in, podsOf(d.From))
	case in != "":
		text = fmt.Sprintf("add %s to ingress of NetworkPolicy %s", port, in)
	default:
		return opensAnew(d)
	}
	if d.Asked.Open {
		text += fmt.Sprintf(", or leave out %s: then it is %d, which is allowed", d.Asked.Name, d.Asked.Own)
	}
	return text
}

// The ports of a driver in cluster mode (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/Constants.scala of
// apache/spark@v3.5.5).
const driverPort, blockManagerPort = 7078, 7079

// opensAnew is what a policy must allow where none lets the pods connect on any port.
func opensAnew(d *mechanism.PolicyBlocks) string {
	where := podsOf(d.From)
	switch both := d.Egress.Closed && d.Ingress.Closed; {
	case both:
		where += " (egress) and one of " + receiver(d.To.Kind) + " (ingress)"
	case d.Ingress.Closed:
		where = receiver(d.To.Kind) + " (ingress)"
	}
	if d.To.Kind == mechanism.OtherHost {
		return fmt.Sprintf("allow egress to %s in a NetworkPolicy of %s", target(d.To), where)
	}
	text := fmt.Sprintf("allow %s in a NetworkPolicy of %s", target(d.To), where)
	if d.To.Kind == mechanism.DriverFromExecutors && d.To.Port != driverPort && d.To.Port != blockManagerPort { // a driver in client mode
		return text + "; the block manager of the driver needs its port, too (spark.driver.blockManager.port, which is a random one where " +
			"it is not set)"
	}
	return text + "; Spark needs the ports 7078 and 7079 of the driver, executors among each other, DNS, and the API server from the driver"
}

// receiver is whose pods are connected to.
func receiver(kind mechanism.TargetKind) string {
	if kind == mechanism.ExecutorPort {
		return "the executors"
	}
	return "the driver"
}

func podsOf(role cause.Role) string {
	if role == cause.ExecutorRole {
		return "the executors"
	}
	return "the driver"
}

func target(t mechanism.Target) string {
	port := "port " + strconv.Itoa(int(t.Port))
	switch t.Kind {
	case mechanism.ClusterDNS:
		return "DNS (port 53)"
	case mechanism.DriverPort:
		return port + " of the driver"
	case mechanism.DriverFromExecutors:
		return port + " of the driver from the executors"
	case mechanism.ExecutorPort:
		return port + " of other executors"
	default:
		return t.Host + ":" + strconv.Itoa(int(t.Port))
	}
}
