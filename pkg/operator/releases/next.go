package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// NextCommit is the commit of kubeflow/spark-operator's master that next describes, of 2026-08-21, the newest there was to read. Its tree
// was compared with that of v2.5.2 in cmd, internal, pkg, api, charts, config, Dockerfile and entrypoint.sh, without tests, and
// rest_submission.go only in part: what came of the 58 commits after 3011ec4c, where the branch of 2.5.2 left master.
const NextCommit = "38082f33"

// Next is the version of what is not released. Features that came after 2.5.2 are marked as of v2.6.0 (pkg/features/features.go@38082f33);
// VERSION and Chart.yaml there still say v2.5.0-rc.0, so that no build of master states this number.
func Next() release.Version { return release.Version{Major: 2, Minor: 6, Unreleased: true} }

// next is master. It is no hop: what it breaks is told only of an upgrade to it.
func next() release.Release {
	return release.Release{
		Version: Next(), Commit: NextCommit, Compared: "v2.5.2",
		// stopSignal and restartPolicyRules come with the types of Kubernetes 1.35 (#2946).
		Fields: release.Fields{Application: []string{"driverPodDisruptionBudget"}},
		// getConfigMapVolumeName in internal/webhook/sparkpod_defaulter.go@38082f33, #3099
		Fixes:       []string{"dotted-configmap-refused"},
		Grants:      []release.Grant{jobs("policy", "poddisruptionbudgets", "create delete get list watch")}, // #2954
		Needs:       release.Needs{Controller: nextNeeds()},
		NeedsNoMore: []release.Permission{nextCachesNoIngress()},
		Notes:       append(nextNotes(), nextConnectNotes()...),
	}
}

// nextCachesNoIngress: the manager's client reads them from the API server (client.CacheOptions.DisableFor in
// cmd/operator/controller/start.go@38082f33, #3032). No informer starts, so that no worker waits for one.
func nextCachesNoIngress() release.Permission {
	return release.Permission{
		Verbs: []string{"list", "watch"}, Group: "networking.k8s.io", Resource: "ingresses", When: release.UIIngresses,
	}
}

func nextNeeds() []release.Permission {
	const start = "cmd/operator/controller/start.go@38082f33"
	const budgets = "internal/controller/sparkapplication/driver_pdb.go@38082f33, #2954"
	return []release.Permission{
		{
			Verbs: []string{"get"}, Group: "networking.k8s.io", Resource: "ingresses", Place: release.WhereJobsRun, When: release.UIIngresses,
			Breaks: "applications with an ingress stay SUBMITTED",
			Source: "createDriverIngressV1 in internal/controller/sparkapplication/driveringress.go@38082f33; " + start + ", #3032",
		},
		// The sink creates an event, and patches the series of one that repeats; what the server refuses is dropped (recordEvent in
		// tools/events/event_broadcaster.go of k8s.io/client-go@v0.35.4). Those of leader election stay core events (initLeaderElector in
		// pkg/leaderelection/leader_election.go of sigs.k8s.io/controller-runtime@v0.23.3).
		{
			Verbs: []string{"create", "patch"}, Group: "events.k8s.io", Resource: "events", Place: release.WhereJobsRun, Degrades: true,
			Breaks: "the API server refuses the events of applications, and kubectl describe shows none",
			Source: "mgr.GetEventRecorder in " + start + ", #2946",
		},
		{
			Verbs: []string{"list", "watch"}, Group: "policy", Resource: "poddisruptionbudgets", When: release.DriverBudgets,
			Breaks: informerStops, Source: "SetupWithManager in internal/controller/sparkapplication/controller.go@38082f33, #2954",
		},
		{
			Verbs: []string{"create", "delete"}, Group: "policy", Resource: "poddisruptionbudgets", When: release.DriverBudgets, Degrades: true,
			Breaks: "applications with spec.driverPodDisruptionBudget get no new state", Source: budgets,
		},
	}
}

// nextNotes are what nothing in a cluster shows, or only some of it.
func nextNotes() []release.Note {
	return []release.Note{
		{
			When: release.Before, Do: "grant the controller's account create and patch on events of events.k8s.io in the job namespaces",
			Why: "writes its events there, and its chart grants core events only: kubectl describe shows no event of an application",
			Source: "cmd/operator/controller/start.go, charts/spark-operator-chart/templates/controller/_helpers.tpl and " +
				"config/rbac/role.yaml@38082f33, #2946",
		},
		{
			When: release.Before, Do: "change alerts and scripts that read the text of the operator's events",
			Why: "passes the text as the event's action, so that the note holds the first value only, or name%!(EXTRA …); " +
				"reason and type stay",
			Source: "recordSparkApplicationEvent and recordExecutorEvent in internal/controller/sparkapplication/controller.go@38082f33, #2946",
		},
		{
			When: release.Before, Do: "remove --enable-http2 from patches of the operator's Deployments",
			Why: "does not know the flag and exits at start; --metric-tls-min-version and --webhook-tls-min-version are new, and HTTP/2 is " +
				"always offered",
			Source: "cmd/operator/controller/start.go and cmd/operator/webhook/start.go@v2.5.2 and @38082f33, #2986, #2990",
		},
		{
			When: release.Before, Do: "decide on what is off by default: budgets for drivers, a default TTL, a service that submits",
			Why: "has spec.driverPodDisruptionBudget, which counts with --enable-driver-pdb; with the gate DefaultTimeToLive it deletes " +
				"finished applications that set no TTL; with the gate RestSubmitter it exits unless its service answers",
			Source: "cmd/operator/controller/start.go and pkg/features/features.go@38082f33, #2954, #3042, #2976, #2999",
		},
		{
			Clients: true, When: release.Before, Do: "set annotations and TLS in each entry of spec.driverIngressOptions",
			Why: "takes ingressAnnotations and ingressTLS of the entry, else those of the operator's flags; before, an entry got those of " +
				"spec.sparkUIOptions",
			Source: "createDriverIngress in internal/controller/sparkapplication/driveringress.go@v2.5.2 and @38082f33, #2973",
		},
	}
}

// nextConnectNotes are about SparkConnects.
func nextConnectNotes() []release.Note {
	return []release.Note{
		{
			Clients: true, When: release.Before,
			Do: "set probes in spec.server.template of SparkConnects whose server needs more than 5 minutes to start",
			Why: "gives a server without probes a startup probe on port 15002, after which the kubelet restarts it (5 s, then 30 tries 10 s " +
				"apart), and a readiness probe",
			Command: "kubectl get sparkconnects." + snapshot.SparkGroup + " -A",
			Source:  "setDefaultSparkConnectServerProbes in internal/controller/sparkconnect/reconciler.go@38082f33, #2995",
		},
		{
			Clients: true, When: release.Before, Do: "take shell quotes and escapes out of sparkConf and hadoopConf of SparkConnects",
			Why:    "quotes each value for the shell, so that quotes, backslashes and $VARIABLES reach Spark as they are written",
			Source: "shellQuoteSparkConfig in internal/controller/sparkconnect/options.go@38082f33, #3051",
		},
		{
			Clients: true, When: release.Before, Do: "check the images in templates of SparkConnects without spec.image",
			Why: "accepts them only in the container spark-kubernetes-driver or spark-kubernetes-executor, or in the first one, where none has " +
				"that name; an executor's first container now sets its image",
			Source: "podTemplateContainerImage in internal/webhook/sparkconnect_validator.go, imageOption in " +
				"internal/controller/sparkconnect/options.go@38082f33, #3103",
		},
	}
}
