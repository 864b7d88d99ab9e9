package size

import (
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// limitTracking bounds the executors that an installation tracks: the value came with 2.1.0
// (charts/spark-operator-chart/values.yaml@v2.1.0).
func limitTracking(in *operator.Installation) []check.Command {
	if in == nil {
		return nil
	}
	switch limit, limited := in.TrackedExecutors(); {
	case !limited:
		since := operator.Since(func(facts *operator.Facts) bool { return facts.TrackedExecutors > 0 })
		return []check.Command{command.Upgrade(in, since, ": before, nothing limits the executors that it tracks")}
	case limit > manyTracked:
		return []check.Command{command.Set(in, command.Value{
			Path: "controller.maxTrackedExecutorPerApp", To: strconv.Itoa(manyEntries), Flag: "max-tracked-executor-per-app",
		})}
	default:
		return nil
	}
}

func executorStateNext(f *check.Finding, x *check.Context) []check.Command {
	return append([]check.Command{f.Repair("remove the entries of executors that exited")}, limitTracking(x.Operator(f))...)
}

func trackingUnboundedNext(f *check.Finding, x *check.Context) []check.Command {
	return limitTracking(x.Operator(f))
}

func beyondLimitNext(f *check.Finding, _ *check.Context) []check.Command {
	return []check.Command{command.Do("look at the executor pods instead of status.executorState").
		With("kubectl -n %s get pods -l sparkoperator.k8s.io/app-name=%s,spark-role=executor", f.Object.Namespace, f.Object.Name)}
}

func objectOversizedNext(f *check.Finding, _ *check.Context) []check.Command {
	switch f.Field {
	case lastAppliedField:
		return []check.Command{
			f.Repair("remove the copy of the manifest from the annotations"),
			command.Do("apply it server-side from now on, which stores no copy: kubectl apply --server-side"),
		}
	case "status.applicationState.errorMessage":
		return []check.Command{command.Do("read the error, correct its cause, and submit the application again").
			On("get", f.Object, "-o jsonpath={.status.applicationState.errorMessage}")}
	case "spec.sparkConf":
		return []check.Command{command.Do("move settings from spec.sparkConf into a ConfigMap, and name it in spec.sparkConfigMap")}
	case "spec":
		return []check.Command{command.Do("move long arguments and env values of spec into a ConfigMap or the image")}
	default:
		return []check.Command{command.Do("find what is long in metadata and status").On("get", f.Object, "-o yaml")}
	}
}

func driverLostNext(f *check.Finding, _ *check.Context) []check.Command {
	if len(f.Fixes) == 0 {
		return []check.Command{
			command.Do("read the events about it, while they last").
				With("kubectl -n %s events --for sparkapplication/%s", f.Object.Namespace, f.Object.Name),
			command.Do("see whether the job wrote its output, and submit the application again if not"),
		}
	}
	driver, _ := f.First("Pod")
	return []check.Command{
		command.Do("see who removed the driver pod, while events last").
			With("kubectl -n %s events --for pod/%s", driver.Namespace, driver.Name),
		f.Repair("make the operator recheck the application: it fails the run and applies restartPolicy"),
	}
}
