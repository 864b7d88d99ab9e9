package main

// recordedSituation is what a scan finds in a recording, in order of the checks' numbers. An … stands for what differs with each
// recording: ages, times, generated names.
type recordedSituation struct{ want []string }

// nothing is found: the look-alikes, and what a scan leaves to others, such as how a job that is over has failed.
func nothing() recordedSituation { return recordedSituation{} }

func found(want ...string) recordedSituation { return recordedSituation{want} }

// pending is an application whose driver does not start.
func pending(name, severity, why string) recordedSituation {
	return found("SD6002 " + severity + " proven SparkApplication " + name + `/etl: driver pod "etl-driver" has been Pending for …: ` + why)
}

// waitingForExecutors is an application whose driver runs without any executor.
func waitingForExecutors(name, severity, why string) recordedSituation {
	return found("SD6002 " + severity + " proven SparkApplication " + name +
		`/etl: driver pod "etl-driver" runs without executors; 1 pod Pending for …, such as "etl-…": ` + why)
}

// exited is an application whose driver exited with code 1.
func exited(name string) recordedSituation {
	return found("SD8001 info likely SparkApplication " + name + "/etl: FAILED … ago (…): the driver exited with code 1: " +
		"an error of the job, a wrong setting or a missing permission; its log says which")
}

// held is a driver pod that a finalizer keeps.
func held(name string) string {
	return "SD2005 error proven Pod " + name + "/etl-driver: terminating for …, held by finalizer example.com/accounting"
}

func recordedSituations() map[string]recordedSituation {
	const untolerated = ", untolerated taint(s)" // of the second Node, which is there for that
	ignoring := []string{
		"SD1001 info proven ValidatingWebhookConfiguration spark-operator-webhook: failurePolicy is Ignore",
		"SD1001 warning proven MutatingWebhookConfiguration spark-operator-webhook: failurePolicy is Ignore",
	}
	unreachable := []string{
		"SD1002 error proven MutatingWebhookConfiguration spark-operator-webhook: …has no ready endpoint…rejects every submission",
		"SD1002 error proven ValidatingWebhookConfiguration spark-operator-webhook: …has no ready endpoint…rejects every submission",
	}
	return map[string]recordedSituation{
		// Nothing is wrong, or nothing that lasts.
		"healthy-completed":          nothing(),
		"healthy-executor-drained":   nothing(), // replaced
		"healthy-dynamic-allocation": nothing(), // executors come and go as the job commands
		"healthy-native-sidecar":     nothing(), // ended with 137, after the driver had ended
		"healthy-progressing":        nothing(),
		"healthy-running":            nothing(),
		"native-sidecar-restarts":    nothing(), // beside a driver that runs

		// The job is over, and the application says FAILED. How it failed is no question of a scan.
		"command-missing":                nothing(),
		"driver-child-killed":            nothing(),
		"driver-class-missing":           nothing(),
		"driver-deadline":                nothing(),
		"driver-deleted":                 nothing(), // FAILED with 143, not "driver pod not found": the operator saw the end
		"driver-drained":                 nothing(),
		"driver-exception":               nothing(),
		"driver-heap":                    nothing(),
		"driver-liveness":                nothing(),
		"driver-message":                 nothing(),
		"driver-oom-killed":              nothing(),
		"driver-preempted":               nothing(),
		"ephemeral-storage-limit":        nothing(),
		"executors-without-driver":       nothing(), // pending executors go with their driver when the operator deletes them
		"init-container-fails":           nothing(),
		"local-dir-full":                 nothing(),
		"local-dir-in-memory":            nothing(),
		"python-module-missing":          exited("python-module-missing"),
		"python-traceback":               exited("python-traceback"),
		"quota-used-up":                  nothing(),
		"sidecar-failed":                 nothing(), // the driver runs on
		"sidecar-outlives-driver":        nothing(), // the end of an executor made the operator look
		"sidecar-outlives-failed-driver": nothing(),
		"suspended-too-late":             nothing(), // COMPLETED, and suspended after that
		"executors-kept":                 nothing(), // on purpose, and they have exited
		"suspended-executors-left":       nothing(), // pending executors go with their driver here, too
		"executors-local-dir-full":       nothing(), // too few, and too slow

		// Permissions are missing, whatever became of the job.
		"account-missing": found("SD5007 warning proven ServiceAccount account-missing/spark: service account account-missing/spark does not " +
			"exist, so the API server rejects the driver pod: application etl names it"),
		"driver-not-permitted": found("SD5007 warning proven ServiceAccount driver-not-permitted/default: service account " +
			"driver-not-permitted/default may not get pods, …: application etl runs its driver with it"),

		// The driver does not start.
		"claim-missing":          pending("claim-missing", "error", "PersistentVolumeClaim claim-missing/warehouse does not exist"),
		"claim-pending":          pending("claim-pending", "error", "no node fits: pod has unbound immediate PersistentVolumeClaims"),
		"config-map-env-missing": pending("config-map-env-missing", "error", "ConfigMap config-map-env-missing/settings does not exist"),
		"config-map-volume-missing": pending("config-map-volume-missing", "error",
			"ConfigMap config-map-volume-missing/settings does not exist"),
		"image-missing": pending("image-missing", "error", `image "127.0.0.1:5999/team/spark:3.5.5-typo" cannot be pulled (ImagePullBackOff)`),
		"image-name-invalid": pending("image-name-invalid", "error",
			`image "Team/Spark:3.5.5" cannot be pulled (InvalidImageName)`),
		"image-never-pulled": pending("image-never-pulled", "error", `image "spark:none" cannot be pulled (ErrImageNeverPull)`),
		"host-port-taken": pending("host-port-taken", "warning", "no node fits: didn't have free ports for the requested pod ports"+
			untolerated),
		"init-container-crashes": pending("init-container-crashes", "error", `container "proxy" does not start (CrashLoopBackOff: `),
		"init-container-hangs":   pending("init-container-hangs", "warning", `container "fetch" of its initContainers still runs`),
		"no-node-large-enough":   pending("no-node-large-enough", "warning", "no node fits: Insufficient cpu"+untolerated),
		"no-node-tolerated": pending("no-node-tolerated", "error", "no node fits: didn't match Pod's node affinity/selector"+
			untolerated),
		"no-node-with-label": pending("no-node-with-label", "error", "no node fits: didn't match Pod's node affinity/selector"+
			untolerated),
		"runs-as-root": pending("runs-as-root", "error", `container "spark-kubernetes-driver" does not start (CreateContainerConfigError: `+
			`container's runAsUser breaks non-root policy)`),
		"secret-key-missing":    pending("secret-key-missing", "error", `Secret secret-key-missing/storage has no key "access-key"`),
		"secret-missing":        pending("secret-missing", "error", "Secret secret-missing/storage does not exist"),
		"secret-volume-missing": pending("secret-volume-missing", "error", "Secret secret-volume-missing/tls does not exist"),
		"sub-path-unknown": pending("sub-path-unknown", "error", `container "spark-kubernetes-driver" does not start `+
			`(CreateContainerConfigError: missing value for NOT_SET)`),

		"executor-claim-pending": nothing(), // the job goes on with the other one

		// The driver runs, and executors do not.
		"executor-image-missing": waitingForExecutors("executor-image-missing", "error",
			`image "127.0.0.1:5999/team/spark:3.5.5-typo" cannot be pulled (ImagePullBackOff)`),
		"executor-preempted": waitingForExecutors("executor-preempted", "warning",
			"no node fits: Insufficient example.com/slot-b"+untolerated),
		"no-node-for-executors": waitingForExecutors("no-node-for-executors", "warning", "no node fits: Insufficient cpu"+untolerated),
		"driver-service-gone": found("SD6010 warning proven SparkApplication driver-service-gone/etl: … executors lost within …, " +
			"with 1 at a time"),
		"executors-fail": found("SD6010 warning proven SparkApplication executors-fail/etl: … executors lost within …, with 1 at a time"),
		"executors-oom-killed": found("SD6010 warning proven SparkApplication executors-oom-killed/etl: … executors lost within …, with 1 " +
			"at a time; among the remaining pods: … OOMKilled (exit code 137)"),

		// The operator itself. In the first, its webhooks were told to ignore failures.
		"webhook-killed": found(ignoring[0], ignoring[1], "SD4002 error proven SparkApplication webhook-killed/etl: all 2 pods lack fields "+
			"that only the webhook adds: spec.driver.env (REGION), spec.executor.env (REGION)"),
		"controller-oom-killed": found("SD5008 warning proven Deployment spark-operator/spark-operator-controller: " +
			"keeps restarting: container spark-operator-controller of pod …, last exited … with OOMKilled (exit code 137)"),
		"controller-recovered": nothing(), // rolled out with enough memory, and no word of the earlier pods

		// The only node goes, and the operator with it; then its Node is deleted.
		"node-lost": found(unreachable[0], unreachable[1], "SD5008 error proven Deployment spark-operator/spark-operator-controller: operator "+
			"… has had no ready replica (0 of 1) for …", `SD6013 error proven SparkApplication node-lost/etl: RUNNING, but driver pod "etl-driver" is on node …, `+
			`which has been NotReady for … (NodeStatusUnknown: Kubelet stopped posting node status)`),
		"node-removed": found(unreachable[0], unreachable[1], // its namespace holds no application
			"SD5008 error proven Deployment spark-operator/spark-operator-controller: operator … has had no ready replica (0 of 1) for …: "+
				"pod … has no node: …",
			"SD5008 error proven Deployment spark-operator/spark-operator-webhook: operator … has had no ready replica (0 of 1) for …: "+
				"pod … has no node: …"),

		// The operator waits for what cannot go.
		"changed-held": found(held("changed-held"), "SD6003 warning proven SparkApplication changed-held/etl: PENDING_RERUN for …: waits for "+
			`Pod "etl-driver", which has been terminating for …`),
		"rerun-held": found(held("rerun-held"), "SD6003 warning proven SparkApplication rerun-held/etl: PENDING_RERUN for …: waits for Pod "+
			`"etl-driver", which has been terminating for …`),
		"suspending-held": found(held("suspending-held")), // the operator says SUSPENDED all the same
		"resuming-held": found(held("resuming-held"), "SD6005 error proven SparkApplication resuming-held/etl: SUSPENDED for …, although "+
			`spec.suspend is no longer set; driver pod "etl-driver" has been terminating for …`),

		// A policy forbade the operator to delete the driver. It is lifted from the second.
		"suspending-refused": found("SD6005 error proven SparkApplication suspending-refused/etl: SUSPENDING for …: the operator fails to " +
			`clean up the last run; driver pod "etl-driver" is Running`),
		"invalidating-refused": found("SD6005 error proven SparkApplication invalidating-refused/etl: INVALIDATING for …: the spec changed, " +
			`and the operator has not cleaned up the last run; driver pod "etl-driver" is Running`),

		// The operator may not write a status. It therefore cannot suspend the application.
		"suspending-not-permitted": found("SD5006 error proven Deployment spark-operator/spark-operator-controller: service account "+
			"spark-operator/spark-operator-controller may not update sparkapplications/status in namespace suspending-not-permitted, …",
			"SD6005 error proven SparkApplication suspending-not-permitted/etl: RUNNING, although spec.suspend has been true for … or longer; "+
				`driver pod "etl-driver" is Running`),

		// Executors of a driver that could not delete them. A garbage collector waits for the application, too.
		"failed-executors-stay": found("SD4003 warning proven Pod failed-executors-stay/etl-…-exec-1: pending executor of SparkApplication " +
			`"etl", created … ago, outlived its driver "etl-driver", which has exited; it holds …`),
		"retried-executors-stay": found("SD4003 warning proven Pod retried-executors-stay/etl-…-exec-1: running executor of SparkApplication " +
			`"etl", created … ago, belongs to submission …, and the current one is …`),
		"suspended-executors-stay": found("SD4003 warning likely Pod suspended-executors-stay/etl-…-exec-1: pending executor of " +
			`SparkApplication "etl", created … ago, outlived its driver "etl-driver", which does not exist; …its second owner, keeps it from the ` +
			"garbage collector"),

		// The operator missed the end of a driver, or submitted twice.
		"driver-lost-unseen": found(`SD3005 error likely SparkApplication driver-lost-unseen/etl: RUNNING, submitted …, but ` +
			`driver pod "etl-driver" does not exist`),
		"driver-name-taken": nothing(), // by a pod that is not the operator's
		"submitted-twice": found(`SD6006 error proven SparkApplication submitted-twice/etl: FAILED for …, but driver pod "etl-driver" of an ` +
			"earlier submission is Running: the operator will not record its result"),
		"no-election": found("SD5005 error proven Deployment spark-operator/spark-operator-controller: 2 replicas of operator … run without " +
			"leader election: each of them submits every application"),

		// A node is short of what all share.
		"node-disk-pressure":   nothing(),
		"node-memory-pressure": nothing(),

		// Objects of a deleted application. Only an archive that holds a second look confirms that it is gone.
		"orphan-driver": found(`SD4001 error likely Pod orphan-driver/etl-driver: running driver, created …, but SparkApplication "etl" ` +
			"does not exist; it and 1 other pod hold …"),
		"orphan-service": found(`SD6011 warning proven Namespace orphan-service: Service etl-ui-svc of SparkApplication "etl", which does ` +
			"not exist, has no owner, so the garbage collector keeps it; …"),

		// A pod cannot go.
		"driver-deleted-kept": found(held("driver-deleted-kept")),
		"driver-drained-kept": found(held("driver-drained-kept")),
		"driver-ignores-term": found(held("driver-ignores-term")),

		// The operator does not see the end: no executor ends with the driver.
		"sidecar-outlives-lone-driver": found(`SD6004 error proven SparkApplication sidecar-outlives-lone-driver/etl: RUNNING, but the ` +
			`driver in pod "etl-driver" exited …: Completed (exit code 0); another container keeps the pod running`),
	}
}
