package reporttest

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// verdict is what differs between the samples.
type verdict struct {
	state  string
	ran    time.Duration
	cause  why.Cause
	unseen []why.Unseen
}

// verdicts have one of each class.
func verdicts() map[cause.Class]verdict {
	app, pod := Spark("payments", "nightly-etl"), driver()
	quota := snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: "payments", Name: "team-a"}
	claim := snapshot.Ref{APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: "payments", Name: "checkpoints"}
	log := "log spark-kubernetes-driver"
	failed := func(c why.Cause) verdict { return verdict{state: "FAILED", ran: 3 * time.Minute, cause: c} }
	one := func(message string, o snapshot.Ref, field, value string, next ...command.Command) why.Cause {
		return why.Cause{Cause: cause.Cause{Evidence: []cause.Proof{{Object: o, Field: field, Value: value}}}, Message: message, Next: next}
	}
	likely := one("the driver cannot resolve nightly-etl-driver-svc.payments.svc: the headless Service is gone", pod, log,
		"java.net.UnknownHostException: nightly-etl-driver-svc.payments.svc", command.Do("check the Service").On("get", app))
	likely.Certainty = check.Likely
	return map[cause.Class]verdict{
		cause.ClusterKilled: failed(one("node ip-10-0-3-7 was drained, and the driver was evicted with exit code 143", pod,
			"status.conditions[DisruptionTarget].reason", "EvictionByEvictionAPI", command.Do("run the driver on nodes that are not spot nodes"))),
		cause.CodeFailed: failed(one("KeyError 'customer_id' at etl/load.py:88", pod, log, "KeyError: 'customer_id'",
			command.Do("check column customer_id of the input at etl/load.py:88"))),
		cause.Configuration: failed(one(
			"main class com.acme.Etl is not in etl.jar", pod, log, "Error: Failed to load class com.acme.Etl.",
			command.Do("correct spec.mainClass").On("get", app, "-o yaml"))),
		cause.Credentials: failed(one("S3 refused GetObject on bucket raw with 403: role spark-etl lacks s3:GetObject", pod, log,
			"AccessDeniedException: 403 Forbidden", command.Do("grant s3:GetObject on bucket raw to role spark-etl"))),
		cause.Dependency: failed(one(
			"class org.apache.hadoop.fs.s3a.S3AFileSystem is missing: hadoop-aws is not in the image", pod, log,
			"java.lang.ClassNotFoundException: org.apache.hadoop.fs.s3a.S3AFileSystem", command.Do("add hadoop-aws to the image"))),
		cause.Image: {state: "SUBMITTED", cause: one(
			"the kubelet cannot pull image registry.example/etl:v9: the registry has no such tag", pod,
			"status.containerStatuses[spark-kubernetes-driver].state.waiting.reason", "ImagePullBackOff", command.Do("correct spec.image"))},
		cause.Scheduling: {state: "SUBMITTED", cause: one(
			"the driver fits on no node: it asks for 16 CPU, the largest free is 11.2 on ip-10-1", pod,
			"status.conditions[PodScheduled].message", "0/12 nodes are available: 12 Insufficient cpu.", command.Do("lower driver.cores to 11"))},
		cause.Quota: {state: "RUNNING", ran: 50 * time.Minute, cause: one(
			"2 of 20 executors are missing for 50 min: quota team-a lacks 6 GiB of 64 GiB",
			quota, "status.used[requests.memory]", "58Gi", command.Do("raise quota team-a by 6 GiB").On("get", quota, "-o yaml"))},
		cause.Network: failed(likely),
		cause.Storage: {state: "SUBMITTED", cause: one(
			"claim checkpoints is Pending: storage class fast does not exist", claim, "status.phase",
			"Pending", command.Do("correct the storage class of the claim").On("describe", claim))},
		cause.Submission: {state: "SUBMISSION_FAILED", cause: one(
			"the API server denied the driver pod: webhook policy.example requires a cost label",
			app, "status.applicationState.errorMessage", "admission webhook denied the request: label cost-center is required",
			command.Do("add label cost-center to spec.driver.labels"))},
		cause.ObserverMissed: failed(one(
			"the driver completed with exit code 0; the operator marked the application FAILED because the pod was gone",
			pod, "status.phase", "Succeeded", command.Do("check the output of the job; a second run is not needed"))),
		cause.StoppedByUser: failed(one(
			"alice@example.com deleted the driver pod with kubectl", pod, "metadata.managedFields[kubectl].operation",
			"Update", command.Do("ask alice@example.com, then submit it again"))),
		cause.RunningNormally: {state: "RUNNING", ran: 12 * time.Minute, cause: one("all 20 executors run, and tasks finish", app,
			"status.applicationState.state", "RUNNING")},
		cause.SlowButProgressing: {state: "RUNNING", ran: 3 * time.Hour, cause: one(
			"18 of 20 executors run; 2 are Pending for 50 min", app,
			"status.executorState", "18 RUNNING, 2 PENDING", command.Do("free 8 GiB on the nodes of pool spark"))},
		cause.Suspended: {state: "SUSPENDED", cause: one("spec.suspend is true since 12 min", app, "spec.suspend", "true",
			command.Do("resume it when it may run"))},
		cause.Succeeded: {state: "COMPLETED", ran: 12 * time.Minute, cause: one(
			"the driver completed with exit code 0", pod, "status.phase",
			"Succeeded")},
		cause.Unknown: {state: "FAILED", cause: one("the driver exited with code 1, and neither its log nor its pod exists", app,
			"status.applicationState.errorMessage", "driver container failed with ExitCode: 1, Reason: Error"),
			unseen: []why.Unseen{{What: "log of the driver", Reason: "pod nightly-etl-driver was deleted",
				NextTime: "keep the pod with spec.timeToLiveSeconds, or ship its log"}}},
	}
}
