package mechanism

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// FilesInMemory is scratch space of executors that counts against their memory limit, where the driver's log says that they were OOMKilled,
// or killed as if they were (Tmpfs). Where their pods say it, the words of OOM have it. Scratch space on a disk looks alike. How large it
// was is not recorded anywhere: spills tell that much was written there.
type FilesInMemory struct {
	Tmpfs
	Limit   int64 // of the container, in MiB; 0: not known
	Spilled Spilled
}

// Spilled is what an executor that was OOMKilled wrote to its scratch space by its log, as it was in memory: files are compressed. Zero: no
// log tells of it.
type Spilled struct {
	Executor string // its number
	MiB      int64
}

// Mechanism names it.
func (FilesInMemory) Mechanism() cause.ID { return "files-in-memory" }

// InMemory finds it.
func InMemory(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	t := v.Tmpfs(cause.ExecutorRole)
	killed := failed.Lost.Reason == logs.OOMKilled || about.Role == cause.ExecutorRole && about.Topics.Has(cause.OwnLimit)
	if !is || !killed || !t.LocalDirs && len(t.Volumes) == 0 {
		return cause.Cause{}, false
	}
	limit := v.Limit(cause.ExecutorRole)
	d := FilesInMemory{Tmpfs: t, Limit: limit.MiB()}
	c := cause.Cause{Class: about.Class, Role: cause.ExecutorRole, Subject: about.Subject, Trust: cause.BySpec}
	if t.Scratch() {
		d.Spilled, c.Evidence = v.spilled()
	}
	c.Detail = d
	if t.LocalDirs {
		c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "spec.sparkConf[" + localDirsTmpfs + "]", Value: "true"})
	}
	return c, true
}

// WereOOMKilled reports whether a cause is that executors were OOMKilled, and nothing else.
func WereOOMKilled(c *cause.Cause) bool {
	f, _ := c.Detail.(logs.Failure)
	_, only := f.Meaning.(logs.ExecutorsLost)
	return only && f.Lost.Reason == logs.OOMKilled && len(f.Lost.Executors) > 0
}

// spilled is the most that one of the executors that were OOMKilled wrote to its scratch space, and the line that says so.
func (v *View) spilled() (most Spilled, by []cause.Proof) {
	for i := range v.Logs {
		l := &v.Logs[i]
		p := v.Pod(l.Pod)
		ofSpark := l.Role == string(cause.ExecutorRole) && (p == nil || l.Container == app.MainName(p))
		killed := slices.ContainsFunc(v.Ends, func(e End) bool { return e.Pod.Name == l.Pod && e.Why.Kind == OOMKilled })
		if !ofSpark || !killed {
			continue
		}
		if n, line := logs.SpilledMiB(l); n > most.MiB {
			most = Spilled{Executor: executorID(v, l.Pod), MiB: n}
			by = []cause.Proof{{Object: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: v.Subject.Namespace, Name: l.Pod},
				Field: "log " + l.Container, Value: line}}
		}
	}
	return most, by
}
