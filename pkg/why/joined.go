package why

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// behindReadiness says why the name of the driver does not resolve, where the driver is not ready.
func behindReadiness(v *mechanism.View, causes []cause.Cause) {
	for i := range causes {
		c := &causes[i]
		if c.Class != cause.Network || !logged(c) || !strings.Contains(c.Message, "-driver-svc") || !unresolved.MatchString(said(c)) {
			continue
		}
		proof, not := v.NotReady()
		if !not || over(v.Driver, c.At) {
			continue
		}
		c.Message += fmt.Sprintf("; the driver pod is not Ready (%s), and DNS names only ready pods for its headless Service", proof.Value)
		c.Evidence = append(c.Evidence, proof)
		c.Next = []command.Command{command.Do("let the driver become ready: correct or remove its readiness probe or readiness gate").
			On("describe", mechanism.Ref(v.Driver))}
	}
}

// crashWindow is how long before a job is given up for a crashed worker the kernel may have killed it: the time of the last tries.
const crashWindow = time.Minute

// behindCrash says why Python workers crashed, where the nodes tell that the kernel killed some.
func behindCrash(v *mechanism.View, causes []cause.Cause) {
	for i := range causes {
		c := &causes[i]
		if c.Signature != catalog.WorkerCrashed || c.At.IsZero() {
			continue
		}
		kills := v.KernelKills("python", c.At.Add(-crashWindow), c.At.Add(time.Minute))
		if len(kills) == 0 {
			continue
		}
		c.Class, c.Effect = cause.ClusterKilled, false
		_, raised, _ := strings.Cut(c.Message, ": ")
		c.Message = fmt.Sprintf("the kernel killed %s for memory while tasks failed: %s", facts.Counted(len(kills), "Python process"), raised)
		c.Evidence = slices.Concat(kills[:1], c.Evidence, kills[1:])
		c.Next = []command.Command{
			command.Do("raise spark.executor.pyspark.memory or executor.memoryOverhead: Python works outside the JVM's heap"),
		}
	}
}

// behindExit52 says which memory of the JVM was full, where executors ended with the exit code of any OutOfMemoryError
// (core/src/main/scala/org/apache/spark/util/SparkExitCode.scala@v3.5.5) and the log of one names it. The log cause that is joined is left
// out.
func behindExit52(byObjects, byLogs []cause.Cause) []cause.Cause {
	at := slices.IndexFunc(byLogs, func(c cause.Cause) bool {
		return c.Trust == cause.ByExecutorLog && stands(&c) && strings.Contains(c.Message, "OutOfMemoryError")
	})
	if at < 0 {
		return byLogs
	}
	full, said := byLogs[at], false
	for _, list := range [][]cause.Cause{byLogs, byObjects} {
		for i := range list {
			c := &list[i]
			if !stands(c) || c.Trust == cause.ByExecutorLog || !strings.Contains(c.Message, "exit code 52") {
				continue
			}
			c.Class, c.Signature, c.Next = full.Class, full.Signature, full.Next
			if !said {
				c.Message += ": " + full.Message
				c.Evidence = slices.Concat(full.Evidence, c.Evidence)
			}
			said = true
		}
	}
	if said {
		return slices.Delete(slices.Clone(byLogs), at, at+1)
	}
	return byLogs
}

// withLeftPod joins a submission that failed with the driver pod that it left, which cannot start.
func withLeftPod(v *mechanism.View, byObjects []cause.Cause) []cause.Cause {
	failed := slices.IndexFunc(byObjects, func(c cause.Cause) bool { return stands(&c) && c.Class == cause.Submission })
	left := slices.IndexFunc(byObjects, func(c cause.Cause) bool { return c.Effect && c.Class == cause.Submission && c.Subject.Kind == "Pod" })
	if failed < 0 || left < 0 || v.Driver == nil {
		return byObjects
	}
	c, pod := &byObjects[failed], &byObjects[left]
	c.Message += fmt.Sprintf("; it left pod %s: %s", v.Driver.Name, pod.Message)
	c.Evidence = append(c.Evidence, pod.Evidence...)
	c.Next = distinct(append(c.Next, pod.Next...))
	return slices.Delete(byObjects, left, left+1)
}

// withInitLogs joins an init container that failed with what its log tells. The log causes that are joined are left out.
func withInitLogs(byObjects, byLogs []cause.Cause) []cause.Cause {
	for i := range byObjects {
		c := &byObjects[i]
		name := initContainer(c)
		if name == "" {
			continue
		}
		at := slices.IndexFunc(byLogs, func(l cause.Cause) bool {
			return l.Subject.Name == c.Subject.Name && len(l.Evidence) > 0 && strings.TrimSuffix(l.Evidence[0].Field, " (previous)") == "log "+name
		})
		if at < 0 {
			continue
		}
		l := byLogs[at]
		byLogs = slices.Delete(slices.Clone(byLogs), at, at+1)
		c.Message += ": " + l.Message
		c.Evidence = append(c.Evidence, l.Evidence...)
		if stands(&l) && c.Certainty == check.Likely {
			c.Class, c.Signature, c.Effect = l.Class, l.Signature, false
			c.Next = distinct(append(slices.Clone(l.Next), c.Next...))
		}
	}
	return byLogs
}

// initContainer is the name of the init container that a cause is about; empty: it is about none.
func initContainer(c *cause.Cause) string {
	for _, e := range c.Evidence {
		if rest, is := strings.CutPrefix(e.Field, "status.initContainerStatuses["); is {
			name, _, _ := strings.Cut(rest, "]")
			return name
		}
	}
	return ""
}
