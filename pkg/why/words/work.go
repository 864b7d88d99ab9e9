package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// work has the words for what the driver's log says of its progress.
func work(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.DriverBlocks:
		return driverBlocks(d), true
	case mechanism.DebuggerAwaited:
		return debuggerAwaited(c, &d), true
	case mechanism.LocalMaster:
		return Phrase{fmt.Sprintf("Spark runs with a local master: the driver runs all tasks itself, and none of %d executors is requested",
			d.Asked), []command.Command{command.Do("remove the master from the program (setMaster, master(\"local[*]\")) and from spec.sparkConf: " +
			"the operator gives it")}}, true
	case mechanism.StandaloneTooSmall:
		return standaloneTooSmall(d), true
	case mechanism.ExecutorsUnregistered:
		return Phrase{fmt.Sprintf("%s %s%s, and none has registered with the driver: most likely they cannot connect to its ports 7078 and "+
			"7079",
			phrase.Counted(d.Running, "executor"), map[bool]string{true: "runs", false: "run"}[d.Running == 1], lasting(d.Longest)),
			[]command.Command{command.Do("read the log of an executor: it says whom it cannot reach"), reachDriver()}}, true
	case mechanism.TasksRefused:
		return Phrase{fmt.Sprintf("%s there and registered, but a job gets no task started on them: %s", phrase.CountedAre(d.Running, "executor"),
			d.Complain), []command.Command{command.Do("compare spark.task.cpus and spark.task.resource.* with what an executor has, and see " +
			"whether another job has all of its slots")}}, true
	case mechanism.ConnectRetries:
		return Phrase{fmt.Sprintf("the driver runs, and%s it has done nothing but try to connect, %d times: %s", lasting(d.For), d.Times,
			d.Line),
			[]command.Command{command.Do("check that the server which the line names runs, its name and port, then NetworkPolicies, a " +
				"service mesh and firewalls")}}, true
	case mechanism.DriverSilent:
		pod := c.Subject.Name
		if len(d.Left) > 0 && d.Left[0].Pod != "" {
			pod = d.Left[0].Pod // what it waits for runs there
		}
		return Phrase{silence(d), []command.Command{threadDump("take a thread dump to see what it waits for", c.Subject.Namespace, pod)}}, true
	case mechanism.LogElsewhere:
		return logElsewhere(&d), true
	case mechanism.Straggler:
		return straggler(c, &d), true
	case mechanism.EntrypointNotSpark:
		return Phrase{fmt.Sprintf("the driver's image does not start Spark: its entrypoint starts %s, as that of the operator's image does",
			d.Program), []command.Command{command.Do("use an image of Spark, or one that keeps Spark's entrypoint")}}, true
	case mechanism.DoesNotExit:
		return Phrase{fmt.Sprintf("the job finished and stopped its SparkContext%s, but the driver's process does not exit (hang): most "+
			"likely a thread that is no daemon still runs, and the log does not say which", ago(d.Ago)), []command.Command{
			threadDump("take a thread dump to find the thread", c.Subject.Namespace, c.Subject.Name),
			command.Do("end the main method with System.exit, or stop the thread pool that it started")}}, true
	case mechanism.EndedAfterWork:
		return Phrase{endedAfterWork(d), []command.Command{command.Do("take the result as good, and end the driver with System.exit so that it " +
			"does not outlive its work")}}, true
	default:
		return Phrase{}, false
	}
}

// reachDriver is what to check where executors do not reach the driver.
func reachDriver() command.Command {
	return command.Do("check the headless Service of the driver and DNS, then NetworkPolicies and a service mesh for ports 7078 and 7079 " +
		"(Istio: traffic.sidecar.istio.io/excludeInboundPorts)")
}

func silence(d mechanism.DriverSilent) string {
	switch d.How {
	case mechanism.NoTaskMore:
		return fmt.Sprintf("the driver and %s run, but%s no further task has finished: %s; the remaining tasks are far slower "+
			"than the others, or blocked, and the log does not show on what", phrase.Counted(d.Running, "executor"), lasting(d.Since), d.Stage) +
			leftTasks(d.Left)
	case mechanism.NoTaskYet:
		return fmt.Sprintf("the driver and %s run, but no task of %s, and the driver has written nothing%s: its tasks are long, "+
			"or blocked, and its log does not show on what", phrase.Counted(d.Running, "executor"),
			d.Stage.Name()+" has finished: "+d.Stage.Finished(), lasting(d.For))
	default:
		return fmt.Sprintf("the driver runs, but it has written nothing%s, since a job of it ended: it waits, and its log does "+
			"not show for what", lasting(d.For))
	}
}

// leftTasks says where the tasks run that a stage waits for: "; task 5.0 (TID 5) runs on executor 1".
func leftTasks(left []mechanism.LeftTask) string {
	says := ""
	for _, one := range left {
		says += fmt.Sprintf("; task %s (TID %d) runs on executor %s", one.Task, one.ID, one.Executor)
	}
	return says
}

func endedAfterWork(d mechanism.EndedAfterWork) string {
	late, stopped := "", ""
	if d.Late > 0 {
		late = said(d.Late, " ", "")
	}
	if d.Stopped != "" {
		stopped = " (the kubelet was told to end its pod: " + d.Stopped + ")"
	}
	return fmt.Sprintf("the job had finished and stopped its SparkContext%s before the driver was terminated%s; exit code %d is only the "+
		"signal (SIGTERM) of that, and the operator recorded it as a failure", late, stopped, d.Code)
}

func driverBlocks(d mechanism.DriverBlocks) Phrase {
	who := "the driver"
	if d.Connect {
		who = "the server"
	}
	p := Phrase{Says: fmt.Sprintf("%s cannot fetch blocks from %s at port %d, so tasks that need a broadcast fail",
		phrase.Counted(d.Executors,
			"executor"), who, d.Port)}
	if !d.Random {
		p.Do = []command.Command{command.Do("allow port %d of %s from its executors (NetworkPolicy, security group, mesh)", d.Port, who)}
		return p
	}
	p.Says += ": it is a random one, where Services and network policies have 7079"
	p.Do = []command.Command{command.Do("set spark.driver.blockManager.port to 7079, and create %s again", who)}
	if d.Connect {
		p.Do = append(p.Do, command.Do("or upgrade the operator to 2.5.1, which sets it"))
	}
	return p
}

func standaloneTooSmall(d mechanism.StandaloneTooSmall) Phrase {
	if d.WorkerMemory == 0 || d.Memory == 0 {
		return Phrase{"the master of the standalone cluster says that an executor of this application is larger than any worker",
			[]command.Command{command.Do("lower spark.executor.memory and spark.executor.cores to what a worker offers, or enlarge the workers")}}
	}
	p := Phrase{Says: fmt.Sprintf("an executor asks for %s and %s, and a worker of the standalone cluster offers %s and %s, so the master "+
		"starts none", mebibytes(int64(d.Memory)), phrase.Counted(d.Cores, "core"), mebibytes(int64(d.WorkerMemory)),
		phrase.Counted(d.WorkerCores, "core"))}
	switch {
	case d.Memory > d.WorkerMemory:
		p.Do = []command.Command{command.Do("lower spark.executor.memory (--executor-memory) from %s to %s or less, or enlarge the workers",
			mebibytes(int64(d.Memory)), mebibytes(int64(d.WorkerMemory)))}
	default:
		p.Do = []command.Command{command.Do("lower spark.executor.cores (--executor-cores) from %d to %d or less, or enlarge the workers",
			d.Cores, d.WorkerCores)}
	}
	return p
}
