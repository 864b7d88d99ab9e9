package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// relation is one reason why causes belong together.
type relation struct {
	name string
	why  string // one sentence
	// relate returns the answers with what belongs together joined. It leaves the others as they are.
	relate func(v *mechanism.View, all []Answer) []Answer
}

// relations are applied once each, in this order, to the causes as they were found.
func relations() []relation { return slices.Concat(ofSubmissionAndLogs(), ofRest()) }

// ofSubmissionAndLogs relate what a submission left, and explain what processes say that they lack.
func ofSubmissionAndLogs() []relation {
	return []relation{
		{"left-pod", "a submission that failed may leave a driver pod, and what that pod waits for is why", leftPod},
		{"spec-changed", "a change of the spec makes the operator delete the driver of the run", stoppedByChange},
		{"submitter-elsewhere", "spark-submit runs in the operator's pod: what it lacks is missing there", submitterElsewhere},
		{"submitter-nameless", "the operator's pod may have a user ID without a name", explains(mechanism.NamelessSubmitter)},
		{"library-misfit", "a class is missing where two libraries are of releases that do not fit", explains(mechanism.MisfitOf)},
		{"module-one-sided", "a Python module is missing where PYTHONPATH is set for one role only", explains(mechanism.OneSided)},
		{"identity-one-sided", "a store refuses executors that lack the identity of the cloud which the driver has",
			explainsLikely(mechanism.HasNoIdentity)},
		{"spark-moved", "a jar does not fit the Spark of an image that runs another release than the spec says",
			explainsLikely(mechanism.OtherSpark)},
		{"archive-unnamed", "a program is missing where its archive was unpacked under another name", explains(mechanism.Unnamed)},
		{"built-for-other", "a program is for another CPU where it runs on nodes of that architecture", explains(mechanism.ForOtherCPU)},
		{"federation-missing", "a token that Azure did not accept is of a service account", explains(mechanism.Unfederated)},
		{"trust-refused", "a token that AWS STS did not accept is of a service account, which names the role", explains(mechanism.RefusedTrust)},
		{"account-denied", "an account that may not run executors is one that the spec does not name", explains(mechanism.DeniedAccount)},
		{"java-misfit", "what does not fit the Java of an image fits another", explains(mechanism.MisfitJava)},
		{"label-required", "a policy that refuses executors asks for a label that the driver has", explains(mechanism.LacksLabel)},
		{"bucket-missing", "a client got no bucket where a field of the spec has a location without one", explains(mechanism.WithoutBucket)},
		{"windows-script", "an interpreter is not found where a ConfigMap holds a script with Windows line ends",
			explains(mechanism.ScriptOfWindows)},
		{"other-writer", "a commit to a Delta table is refused where the log of another application tells of one",
			explains(mechanism.WriterOf)},
		{"proxy-asked", "a proxy refuses a connection to the API server that the variables of the container send there",
			explains(mechanism.AskedProxy)},
		{"nameservice-unset", "HDFS takes a nameservice for a host where the ConfigMap of the spec lacks the file that names it",
			explains(mechanism.UnsetNameservice)},
		{"token-of-secret", "a token of Hadoop expired that a Secret of the spec gives", explains(mechanism.ExpiredInSecret)},
		{"mount-one-sided", "a file is missing where the spec mounts its folder into the other role only", explains(mechanism.MountedElsewhere)},
		{"bucket-in-host", "a host does not resolve where the bucket stands before the endpoint that the spec gives",
			explainsLikely(mechanism.BucketBeforeHost)},
		{"behind-service", "a connection that fails was to a Service that is elsewhere, has another port, or no pod that is ready",
			explainsLikely(mechanism.BehindService)},
		{"whole-result", "a heap is full where a JDBC driver reads a whole result into it", wholeResult},
		{"collected", "a driver is killed for memory after a job that brings its whole result there", collected},
		{"huge-pages-short", "a JVM gets SIGBUS where its heap lies in more huge pages than it may have", explains(mechanism.HugePages)},
		{"token-unmounted", "a driver cannot verify or log in to the API server where its pod has no token of its service account",
			explains(mechanism.WithoutToken)},
		{"locale-unfit", "a JVM cannot write the name of a file where its locale has no such characters", explainsLikely(mechanism.Locale)},
		{"vended-expired", "a token of S3 expired that a REST catalog of Iceberg hands out with its tables", explainsLikely(mechanism.VendedBy)},
		{"jar-too-late", "executors make their shuffle manager before they fetch the jar that the application names",
			explains(mechanism.TooLate)},
		{"lacks-agent", "executors do not find a Java agent that the driver finds in another image", explains(mechanism.AgentElsewhere)},
		{"connections-used-up", "a database has no connection left where a read has as many partitions as tasks run at once",
			explains(mechanism.UsedUp)},
		{"action-refused", "AWS says who was refused which action on what", explains(mechanism.RefusedAction)},
		{"state-misfit", "a query no longer fits its checkpoint where Spark names the state that it has and the one that it keeps",
			explains(mechanism.MisfitState)},
		{"gpu-shared", "a GPU whose memory is taken is one that its node shares among executors", explains(mechanism.SharedGPU)},
	}
}

// ofRest explain what is between processes, and what ended them.
func ofRest() []relation {
	return []relation{
		{"unquoted-setting", "the last words of bash are about a setting that the operator put into its command", unquotedSetting},
		{"main-jar-missing", "a main class is missing where Spark skipped the jar that should hold it", mainJarMissing},
		{"connect-unpackaged", "a server's class is missing where its package is not added", connectUnpackaged},
		{"mounted-noexec", "a library cannot be run from a volume that is mounted with noexec", explains(mechanism.Noexec)},
		{"field-dropped", "a field that the API server did not keep would have given what is missing", fieldDropped},
		{"webhook-in-mesh", "a call of the webhook that is cut off is explained by a sidecar in front of it", webhookInMesh},
		{"webhook-untrusted", "a call of a webhook whose certificate is not trusted is explained by the CA that its configuration holds",
			webhookUntrusted},
		{"policy-blocks", "a connection that fails in a log is explained by the policies that do not allow it", policyBlocks},
		{"proxy-late", "an executor cannot connect before its proxy runs", proxyLate},
		{"mesh-one-sided", "connections to a driver in a mesh are cut off that come from outside", meshOneSided},
		{"mount-ended", "a FUSE mount is dead because the process behind it ended", mountEnded},
		{"driver-not-ready", "DNS does not name a driver that is not ready", driverNotReady},
		{"workers-killed", "a Python worker that crashed was killed if the kernel says so at that time", workersKilled},
		{"never-arrived", "what a program misses and the spec gives was not brought by the webhook", neverArrived},
		{"init-log", "why an init container failed is in its log", initLog},
		{"exit-52", "an executor's log names the memory for which others ended with exit code 52", exit52},
		{"crashed-first", "an executor whose JVM crashed leaves the others with broken connections", crashedFirst},
		{"quota-refuses", "a quota refuses the executors of a driver, which has the API server's words in its log", quotaRefuses},
		{"quota-keeps-slots", "a barrier stage lacks slots where a quota has no room for the executors", quotaKeepsSlots},
		{"token-unrenewed", "a token expires where its renewal failed and was not tried again", tokenUnrenewed},
		{"celeborn-disks", "a shuffle is refused where no worker of Celeborn has a disk for it", explains(mechanism.WithoutDisks)},
		{"committer-ended", "the log of a driver says that a committer was lost, and its pod or an event who ended it", committerEnded},
		{"losses-blamed", "executors that were lost count where the driver gave the job up for them", lossesBlamed},
		{"failures-told", "the pod or the log of one of the executors that keep failing says why", failuresTold},
		{"waited-in-vain", "a driver that gave up for the time had waited for executors that never started", waitedInVain},
	}
}

// Relate joins what belongs together. Causes of a team's own signatures explain no others, as their words can be any.
func Relate(v *mechanism.View, found []cause.Cause) []Answer {
	var all, own []Answer
	for _, c := range found {
		if c.SignatureFile != "" {
			own = append(own, alone(c))
		} else {
			all = append(all, alone(c))
		}
	}
	for _, r := range relations() {
		all = r.relate(v, all)
	}
	return append(all, own...)
}
