package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// FilesInMemory is scratch space of executors that counts against their memory limit, where the driver's log says that they were OOMKilled
// (Tmpfs). Where their pods say it, the words of OOM have it. Scratch space on a disk looks alike.
type FilesInMemory struct{ Tmpfs }

// Mechanism names it.
func (FilesInMemory) Mechanism() cause.ID { return "files-in-memory" }

// InMemory finds it.
func InMemory(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	t := v.Tmpfs(cause.ExecutorRole)
	if !is || failed.Lost.Reason != logs.OOMKilled || !t.LocalDirs && len(t.Volumes) == 0 {
		return cause.Cause{}, false
	}
	c := cause.Cause{Class: about.Class, Role: cause.ExecutorRole, Subject: about.Subject, Trust: cause.BySpec, Detail: FilesInMemory{t}}
	if t.LocalDirs {
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "spec.sparkConf[" + localDirsTmpfs + "]", Value: "true"}}
	}
	return c, true
}
