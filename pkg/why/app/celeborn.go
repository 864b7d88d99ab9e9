package app

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// CelebornWorker is a worker of Celeborn that its master excludes, and those of its disks that are not HEALTHY: none, where it has another
// reason.
type CelebornWorker struct {
	Host  string
	Disks []CelebornDisk
}

// CelebornDisk is a disk with another status (common/src/main/java/org/apache/celeborn/common/meta/DiskStatus.java of
// apache/celeborn@v0.6.1), and the line that says so.
type CelebornDisk struct {
	Said

	Mount, Status string
}

// celeborn reads the log of a master of Celeborn that refused a shuffle of this application, whose key begins with its id: the cluster may
// be in another namespace, and its log beside those of others
// (master/src/main/scala/org/apache/celeborn/service/deploy/master/Master.scala of apache/celeborn@v0.6.1).
func (s *sorter) celeborn(l *Log) {
	const refused = "Offer slots for "
	if l.Previous || !strings.Contains(l.Tail, refused) {
		return
	}
	ours := slices.ContainsFunc(s.e.Pods, func(p corev1.Pod) bool {
		id := p.Labels[labelSelector]
		return id != "" && regexp.MustCompile(refused+`(?:\d+ reducers of )?`+regexp.QuoteMeta(id)+`\S*-\d+ failed`).MatchString(l.Tail)
	})
	if ours {
		s.e.CelebornExcludes = excluded(l)
	}
}

// How a master writes a worker that it excludes (common/src/main/scala/org/apache/celeborn/common/meta/WorkerInfo.scala and
// DeviceInfo.scala of apache/celeborn@v0.6.1).
var (
	celebornHost = lazyregexp.New(`^Host: (\S+)`)
	celebornDisk = lazyregexp.New(`DiskInfo\(.*\bmountPoint: ([^\s,]+),.*\) status: (\w+)`)
)

// excluded are the workers that a master says it excluded, each with its disks as they were the last time: it says nothing where it takes
// one back (master/src/main/java/org/apache/celeborn/service/deploy/master/clustermeta/AbstractMetaManager.java of apache/celeborn@v0.6.1).
func excluded(l *Log) []CelebornWorker {
	var out []CelebornWorker
	var one CelebornWorker
	for line := range strings.Lines(l.Head + "\n" + l.Tail) {
		if m := celebornHost.FindStringSubmatch(line); m != nil {
			one = CelebornWorker{Host: m[1]}
		} else if m := celebornDisk.FindStringSubmatch(line); m != nil && m[2] != "HEALTHY" {
			one.Disks = append(one.Disks, CelebornDisk{Mount: m[1], Status: m[2], Said: Said{Text: strings.TrimSpace(line),
				Container: l.Container, Pod: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: l.Namespace, Name: l.Pod}}})
		}
		if one.Host == "" || !strings.Contains(line, "adds to excluded workers") {
			continue
		}
		out = slices.DeleteFunc(out, func(w CelebornWorker) bool { return w.Host == one.Host })
		out, one = append(out, one), CelebornWorker{}
	}
	return out
}
