package app

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Commit is one to a Delta table, by the log of the driver that made it.
type Commit struct {
	Said
	Application string // empty: its pod was not seen
	Over        bool   // that pod ended
	Table       string // its location
	ID          string // of the table, as logs shorten it
	Transaction string // as logs shorten it
	Version     int
}

// committed matches what Delta Lake logs of a commit that succeeded (spark/src/main/scala/org/apache/spark/sql/delta/
// OptimisticTransaction.scala of delta-io/delta@v3.2.0; logPrefix has the first block of both ids).
var committed = lazyregexp.New(`\[tableId=([0-9a-f]+)[0-9a-f-]*,txnId=([0-9a-f]+)[0-9a-f-]*\] Committed delta #(\d+) to (\S+?)/_delta_log\b`)

// maxCommits bounds those that are kept: a stream commits each minute.
const maxCommits = 10_000

// commits reads them from the logs of other pods, where the application itself writes Delta tables.
func (s *sorter) commits(logs []Log, pods []corev1.Pod) {
	writes := func(l Log) bool {
		return strings.Contains(l.Tail, "io.delta.exceptions.") || strings.Contains(l.Tail, "DELTA_CONCURRENT_")
	}
	if !slices.ContainsFunc(s.e.Logs, writes) {
		return
	}
	for i := range logs {
		l := &logs[i]
		if slices.ContainsFunc(s.e.Logs, func(o Log) bool { return o.Namespace == l.Namespace && o.Pod == l.Pod }) {
			continue
		}
		for line := range strings.Lines(l.Head + "\n" + l.Tail) {
			m := committed.FindStringSubmatch(line)
			if m == nil || len(s.e.Commits) == maxCommits {
				continue
			}
			version, err := strconv.Atoi(m[3])
			if err != nil {
				continue
			}
			one := Commit{Table: m[4], ID: m[1], Transaction: m[2], Version: version, Said: Said{Container: l.Container,
				Text: strings.TrimSpace(line), Pod: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: l.Namespace, Name: l.Pod}}}
			if at := slices.IndexFunc(pods, func(p corev1.Pod) bool { return p.Namespace == l.Namespace && p.Name == l.Pod }); at >= 0 {
				phase := pods[at].Status.Phase
				one.Application, one.Over = pods[at].Labels[labelApplication], phase == corev1.PodSucceeded || phase == corev1.PodFailed
			}
			s.e.Commits = append(s.e.Commits, one)
		}
	}
}
