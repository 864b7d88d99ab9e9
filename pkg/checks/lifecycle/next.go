package lifecycle

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// Why an application gets no further, where the next step depends on it.
const (
	quotaUsedUp      check.Kind = "quota used up"
	limitsRequired   check.Kind = "quota asks"
	lacksAccount     check.Kind = "no account"
	lacksSecurity    check.Kind = "pod security"
	driverTerminates check.Kind = "driver terminates"
	partTerminates   check.Kind = "part terminates"
	outOfMemory      check.Kind = "memory"
	noKueue          check.Kind = "no Kueue"
	staysRefused     check.Kind = "stays refused"
)

// lookAgain is the text of a repair that has the operator reconcile an application.
const lookAgain = "make the operator recheck the application"

// controllerLog shows what the controller logs about the application of a finding.
func controllerLog(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	if in == nil || in.Controller == nil {
		return nil
	}
	return []check.Command{command.Do("read what the controller logs about it").With("kubectl -n %s logs deployment/%s --since 1h | grep %s",
		in.Controller.Namespace, in.Controller.Name, f.Object.Name)}
}

func stuckNewNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	out := controllerLog(f, x)
	switch {
	case in == nil || in.Controller == nil || len(f.CausedBy) > 0:
		return out
	case f.What == "queued":
		now := max(in.Workers(), 10)
		return []check.Command{command.Raise(in, command.Workers(in, fmt.Sprint(2*now)))}
	case f.What == noSubmissions:
		return append(out, command.Restart("restart the controller: it reconciles nothing", in.Controller.Ref))
	default:
		return out
	}
}

func stuckSubmittedNext(f *check.Finding, x *check.Context) []check.Command {
	switch {
	case f.Kind == unnoticedDriver && len(f.Fixes) > 0:
		return append(controllerLog(f, x), f.Repair(lookAgain))
	case f.Kind == unnoticedDriver:
		return []check.Command{command.Do("see which operator should record it").With("kubectl get deployments -A")}
	case f.What == "refused":
		return refusedNext(f)
	}
	return facts.PendingNext(f, "application")
}

func refusedNext(f *check.Finding) []check.Command {
	quota, _ := f.First("ResourceQuota")
	account, _ := f.First("ServiceAccount")
	switch f.Fault {
	case quotaUsedUp:
		return []check.Command{command.Do("see what uses the quota; raise it, or free some of it").On("describe", quota)}
	case limitsRequired:
		return []check.Command{command.Do("set the limits and requests that the quota asks for, in spec.driver and spec.executor").
			On("describe", quota)}
	case lacksAccount:
		return []check.Command{command.Do("create the account, or correct spec.driver.serviceAccount").
			With("kubectl -n %s create serviceaccount %s", account.Namespace, account.Name)}
	case lacksSecurity:
		return []check.Command{command.Do("set spec.driver.securityContext and spec.executor.securityContext as the namespace demands").
			With("kubectl get namespace %s -o yaml", f.Object.Namespace)}
	default:
		return []check.Command{command.Do("read the full error of the API server").
			On("get", f.Object, "-o jsonpath={.status.applicationState.errorMessage}")}
	}
}

// pendingRerunNext: the operator waits for each part of the last run to be gone.
func pendingRerunNext(f *check.Finding, x *check.Context) []check.Command {
	if f.What == "gone" {
		if len(f.Fixes) == 0 {
			return []check.Command{command.Do("see which operator should submit it again").With("kubectl get deployments -A")}
		}
		return []check.Command{f.Repair(lookAgain + ": it then submits the job again")}
	}
	var out []check.Command
	for _, r := range f.Related {
		switch {
		case r.Kind != "Pod" && r.Kind != "Service" && r.Kind != "Ingress":
		case f.Fault == partTerminates:
			out = append(out, command.Do("see what blocks the deletion of %s %s", r.Kind, r.Name).On("get", r, "-o yaml"))
		default:
			out = append(out, command.Do("delete %s %s of the last run", r.Kind, r.Name).On("delete", r))
		}
	}
	return out
}

func driverEndedNext(f *check.Finding, x *check.Context) []check.Command {
	var out []check.Command
	pod, _ := f.First("Pod")
	if len(f.Fixes) > 0 {
		out = append(out, f.Repair(lookAgain+": it then records the result"))
	} else {
		out = append(out, check.Logs("read how the driver exited", pod, driverContainer, false))
	}
	if f.What == "sidecar" {
		out = append(out, command.Do("make the other container exit with the driver, or make it a native sidecar: "+
			"restartPolicy: Always in initContainers"))
	}
	return out
}

func betweenNext(f *check.Finding, x *check.Context) []check.Command {
	driver, hasDriver := f.First("Pod")
	switch {
	case f.What == "unknown":
		since := operator.Since(func(facts *operator.Facts) bool { return facts.Suspends })
		return []check.Command{command.Upgrade(x.Operator(f), since, ", which knows spec.suspend")}
	case f.Fault == driverTerminates:
		return []check.Command{command.Do("see what blocks the deletion of the driver pod").On("get", driver, "-o yaml")}
	case len(f.Fixes) > 0:
		return []check.Command{f.Repair(lookAgain)}
	case hasDriver && f.What == "SUSPENDED":
		return []check.Command{command.Do("delete the driver pod of the last run").On("delete", driver)}
	default:
		return controllerLog(f, x)
	}
}

func duplicateNext(f *check.Finding, _ *check.Context) []check.Command {
	pod, _ := f.First("Pod")
	gone := command.Do("delete the pod, and submit the application again").On("delete", pod)
	switch f.Kind {
	case "taken":
		return []check.Command{command.Do("see whose pod has the name").On("describe", pod),
			command.Do("create the application under another name, or delete the pod once nothing needs it")}
	case "unwatched":
		return []check.Command{check.Logs("see whether it does the work of the job: if so, let it finish and submit nothing else", pod,
			driverContainer, false), gone}
	default:
		return []check.Command{check.Logs("read whether the job succeeded", pod, driverContainer, false), gone}
	}
}

// nodeNext: the driver pod of a node that is gone for good goes with the Node object.
func nodeNext(f *check.Finding, _ *check.Context) []check.Command {
	node, known := f.First("Node")
	pod, _ := f.First("Pod")
	if !known {
		return []check.Command{command.Do("see where the driver pod is").On("get", pod, "-o wide")}
	}
	look := command.Do("see why node %s is not ready", node.Name).On("describe", node)
	if f.Kind == "terminating" {
		look.Text = "see whether node " + node.Name + " is up"
		return []check.Command{look, command.Do("if the node is gone for good, remove the driver pod").
			On("delete", pod, "--force --grace-period 0")}
	}
	return []check.Command{look, command.Do("if it is gone for good, delete the Node: Kubernetes then removes the driver pod").
		On("delete", node)}
}

func overQuotaNext(f *check.Finding, _ *check.Context) []check.Command {
	quota, _ := f.First("ResourceQuota")
	name := ""
	for _, e := range f.Evidence {
		if e.Object == quota {
			name, _, _ = strings.Cut(e.Value, ":")
		}
	}
	return []check.Command{command.Do("see what uses %s of the quota; raise it, or lower spec.executor.instances", name).On("describe", quota)}
}
