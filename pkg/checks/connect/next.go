package connect

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// askWhy is the command that reads the logs and all the rest of a SparkConnect.
func askWhy(f *check.Finding) check.Command {
	return command.Do("see the cause, its evidence and the timeline").
		With("kubectl sparkdoctor why sparkconnect/%s -n %s", f.Object.Name, f.Object.Namespace)
}

func notCreatedNext(f *check.Finding, x *check.Context) []check.Command {
	switch f.Kind {
	case unwatched:
		if len(x.Installations) != 1 {
			return []check.Command{command.Do("add %s to spark.jobNamespaces in the values of the operator that should run it", f.Object.Namespace)}
		}
		in := &x.Installations[0]
		if selector := in.NamespaceSelector(); selector != "" && len(in.Listed()) == 0 {
			return []check.Command{command.Do("label the namespace as --namespace-selector asks").
				With("kubectl label namespace %s %s", f.Object.Namespace, selector)}
		}
		return []check.Command{command.Set(in, command.JobNamespaces(in, append(append([]string{}, in.Listed()...), f.Object.Namespace)))}
	case tooOld:
		// 2.3.0 introduced SparkConnect (#2569).
		return []check.Command{command.Upgrade(x.Operator(f), operator.Version{Major: 2, Minor: 3}, ", which knows SparkConnect")}
	}
	out := []check.Command{askWhy(f)}
	if quota, known := f.First("ResourceQuota"); known {
		return append(out, command.Do("see what uses the quota; raise it, or free some of it").On("describe", quota))
	}
	if in := x.Operator(f); in != nil && in.Controller != nil {
		out = append(out, command.Do("read what the controller logs about it").With("kubectl -n %s logs deployment/%s --since 1h | grep %s",
			in.Controller.Namespace, in.Controller.Name, f.Object.Name))
	}
	return out
}

func serverDownNext(f *check.Finding, _ *check.Context) []check.Command {
	pod, _ := f.First("Pod")
	switch f.Kind {
	case noPod:
		return []check.Command{askWhy(f)}
	case ended:
		return []check.Command{askWhy(f), command.Do("then delete the pod: the operator creates another").On("delete", pod)}
	case pending:
		return facts.PendingNext(f, "SparkConnect")
	case restarts:
		return []check.Command{askWhy(f), check.Logs("read what the container logged", pod, f.Container, true)}
	default:
		return []check.Command{askWhy(f), command.Do("see what its readiness probe says").On("describe", pod)}
	}
}

func lacksExecutorsNext(f *check.Finding, _ *check.Context) []check.Command {
	if f.Kind == waits {
		return append(facts.PendingNext(f, "SparkConnect"), askWhy(f))
	}
	quota, _ := f.First("ResourceQuota")
	return []check.Command{command.Do("see what uses the quota; raise it, or lower spec.executor.instances").On("describe", quota), askWhy(f)}
}
