package words

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// failureSteps is what to do. Exceptions of the application's code are for its authors: their frame says where to look.
func (t Terms) failureSteps(f *logs.Failure, class cause.Class) []command.Command {
	if steps := t.about(roleOf(f)).findingSteps(&f.Finding); len(steps) > 0 {
		return steps
	}
	if len(f.Lost.Executors) > 0 && !f.Lost.ByJob {
		if steps := t.lostSteps(f.Lost.Reason); steps != nil {
			return steps
		}
	}
	if class == cause.CodeFailed && f.Frame != (logs.Place{}) {
		return []command.Command{command.Do("look at %s, or at the data that it reads there", f.Frame)}
	}
	return nil
}

// roleOf is the process that failed, whose settings the steps name; empty: it is not known.
func roleOf(f *logs.Failure) cause.Role {
	switch {
	case f.In == cause.ExecutorRole || f.Executor != "" && f.Executor != string(cause.DriverRole):
		return cause.ExecutorRole
	case f.In == "":
		return ""
	default:
		return cause.DriverRole
	}
}

func (t Terms) findingSteps(f *logs.Finding) []command.Command {
	switch {
	case f.Nameservice != "":
		return []command.Command{command.Do("give driver and executor the Hadoop configuration (spec.hadoopConfigMap, which sets " +
			"HADOOP_CONF_DIR), or set dfs.nameservices and its name nodes in spec.hadoopConf"),
			command.Do("if %s is a host, check its name and the cluster's DNS", f.Nameservice)}
	case f.Refused != "":
		return []command.Command{command.Do("let the metastore's own key or role read and write %s; that of the application is not asked",
			f.Refused)}
	case f.OfMetastore:
		return []command.Command{command.Do("mend it where the metastore runs: its class path, files and identity, not those of the " +
			"application")}
	default:
		return t.meaningSteps(f.Meaning)
	}
}

func (t Terms) meaningSteps(meaning logs.Meaning) []command.Command {
	switch m := meaning.(type) {
	case logs.Known:
		return m.Signature.Steps(fields.Names(t), m.Groups)
	case logs.SparkNotStarted:
		return t.meaningSteps(m.By)
	case logs.JVMCrashed:
		use := command.Do("use the library that the problematic frame names in a version for the C library of the image (glibc or musl)")
		switch {
		case m.OfJVM:
			use = command.Do("it crashed in its own code: use another release of the JVM, or change what it is told about memory (large pages, " +
				"the collector, the size of the heap)")
		case m.Library != "":
			use = command.Do("use another version of the package that brings %s, one that is built for the C library of the image (glibc or "+
				"musl)", m.Library)
		}
		return []command.Command{
			use,
			command.Do("keep the report: -XX:ErrorFile on a volume that outlives the pod"),
		}
	case logs.HeapStaysFull:
		return []command.Command{t.do("raise {role.memory}, or give each task less data (more partitions, no key that holds most rows)")}
	case logs.DriverUnreached:
		if m.Host != "" {
			return unreachedSteps(m)
		}
		return []command.Command{command.Do("check the headless Service of the driver and DNS, then NetworkPolicies and a service " +
			"mesh for ports 7078 and 7079 (Istio: traffic.sidecar.istio.io/excludeInboundPorts)")}
	}
	if text := meaningStep(meaning); text != "" {
		return []command.Command{command.Do("%s", text)}
	}
	return nil
}

// unreachedSteps are about a driver in client mode, for which Spark makes no Service (docs/running-on-kubernetes.md@v3.5.5, Client Mode
// Networking). DNS knows pods by no name of theirs, unless a headless Service selects them.
func unreachedSteps(m logs.DriverUnreached) []command.Command {
	if !m.Unknown {
		return []command.Command{command.Do("let executors reach %s, the driver's spark.driver.host, on the ports of spark.driver.port and "+
			"spark.driver.blockManager.port: NetworkPolicies, a service mesh, or an address that has changed", m.Host)}
	}
	return []command.Command{command.Do("where the session is made, set spark.driver.host to the IP of the driver's pod (status.podIP, by "+
		"the downward API) and spark.driver.bindAddress to 0.0.0.0, instead of %s; or to NAME.NAMESPACE.svc of a headless Service that selects "+
		"the pod", m.Host)}
}

// meaningStep is the one thing to do; empty: there is none.
func meaningStep(meaning logs.Meaning) string {
	switch m := meaning.(type) {
	case logs.OfKind:
		if m.Line != "" {
			return ""
		}
		return kindStep(m.Kind.Class())
	case logs.ValueMissing:
		return kindStep(cause.Configuration)
	case logs.VariableUnset:
		return "set " + m.Name + " in spec.driver.env, or in what spec.driver.envFrom names, and for executors where their code reads it"
	case logs.ScriptShadows:
		if m.Script == "" {
			return ""
		}
		return "rename " + m.Script + ", and mainApplicationFile with it"
	case logs.APIUnreached:
		return "check that pods of this namespace and node reach the API server: NetworkPolicies, a service mesh that is not up yet, and the " +
			"routes of the node"
	case logs.APIHungUp:
		if m.HTTP2 {
			return "set HTTP2_DISABLE=true in the environment of driver and executors, or use Spark 3 or later, Java 11, or an older Java 8"
		}
		return "check what lies between driver and API server: proxies, service meshes, NetworkPolicies"
	case logs.ShuffleUnreached:
		return "let executors reach each other on all ports, or on a fixed spark.blockManager.port: NetworkPolicies, and a service mesh, which " +
			"knows no Service of theirs (leave them out of it, or exclude the port)"
	default:
		return ""
	}
}

// kindStep is what to do about a kind of failure of which no more is known.
func kindStep(class cause.Class) string {
	switch class {
	case cause.Network:
		return "check that the service runs, its name and its port, then NetworkPolicies, a service mesh, firewalls and proxies"
	case cause.Credentials:
		return "check which identity the pod has (service account, role, secret), and grant it what the message names"
	case cause.Storage:
		return "give spark.local.dir, and what buffers on a disk, a larger volume (a claim named spark-local-dir-1)"
	case cause.Dependency:
		return "use jars and packages that were built for the versions of Spark, Scala, Java and Python in the image"
	case cause.Configuration:
		return "correct the setting that the message names"
	case cause.CodeFailed:
		return "check the path, and whether what writes the file has run or deleted it"
	default:
		return ""
	}
}

// lostSteps is what to do about executors that were lost for a reason.
func (t Terms) lostSteps(r logs.LossReason) []command.Command {
	text := ""
	switch r {
	case logs.OOMKilled, logs.Killed:
		text = "raise {executor.memoryOverhead} or {executor.memory}, or give each task less data"
	case logs.Signalled:
		text = "read the kernel's log (journalctl -k) of the nodes that they ran on, for the minute of the kill"
	case logs.HeapFull:
		text = "raise {executor.memory}, or give each task less data"
	case logs.Decommissioned, logs.Evicted, logs.PodDeleted, logs.Terminated:
		text = "keep executors on nodes that stay, or raise spark.task.maxFailures and enable spark.decommission.enabled"
	case logs.NoLocalDir:
		text = "give executors a writable volume named spark-local-dir-1"
	case logs.NoHeartbeat:
		text = "look at garbage collection and CPU throttling of the driver at that time, then raise {driver.memory} or {driver.cores}, and " +
			"spark.executor.heartbeat.maxFailures"
	case logs.NoSign:
		text = "read the log of such an executor, and the events of its pod and node, for the minutes before"
	case logs.NoReason:
		return nil
	}
	return []command.Command{t.do(text)}
}
