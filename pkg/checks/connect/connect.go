// Package connect holds the checks of area 9: SparkConnect servers that were not created, are down, or lack executors.
package connect

import (
	"embed"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		notCreated(),
		serverDown(),
		lacksExecutors(),
	)
}

// serverRole is the role of the pod of a server (internal/controller/sparkconnect/util.go@v2.5.2, GetServerSelectorLabels).
const serverRole = "connect-server"

// askWhy is the command that reads the logs and all the rest of a SparkConnect.
func askWhy(c *snapshot.SparkConnect) check.Command {
	return command.Do("see the cause, its evidence and the timeline").
		With("kubectl sparkdoctor why sparkconnect/%s -n %s", c.Name, c.Namespace)
}

// decoded are the SparkConnects that can be judged.
func decoded(s *snapshot.Snapshot) (list []*snapshot.SparkConnect, unjudged []string) {
	all := s.SparkConnects()
	bad := 0
	for i := range all {
		if all[i].Malformed != "" {
			bad++
			continue
		}
		list = append(list, &all[i])
	}
	if bad > 0 {
		unjudged = append(unjudged, phrase.Counted(bad, "SparkConnect")+" could not be decoded")
	}
	return list, unjudged
}

// members are the pods of a SparkConnect.
type members struct {
	server    *snapshot.Pod // that is not being deleted; nil: there is none
	executors []*snapshot.Pod
}

// membersOf are the pods of each SparkConnect, by namespace and name.
func membersOf(s *snapshot.Snapshot, list []*snapshot.SparkConnect) map[[2]string]*members {
	out := make(map[[2]string]*members, len(list))
	for _, c := range list {
		out[[2]string{c.Namespace, c.Name}] = &members{}
	}
	if len(out) == 0 {
		return nil // there may be many pods
	}
	for _, pod := range s.SparkPods() {
		m := out[[2]string{pod.Namespace, pod.Labels.Get(snapshot.ConnectNameLabel)}]
		switch {
		case m == nil || pod.Terminating():
		case pod.Role() == serverRole && (m.server == nil || m.server.Created.Before(pod.Created)):
			m.server = pod
		case pod.Role() == facts.ExecutorRole:
			m.executors = append(m.executors, pod)
		}
	}
	for _, m := range out {
		slices.SortFunc(m.executors, func(a, b *snapshot.Pod) int { return a.Compare(b.Ref) })
	}
	return out
}

// stateOf is the state that the operator recorded.
func stateOf(c *snapshot.SparkConnect) check.Evidence {
	state := c.State
	if state == "" {
		state = "none"
	}
	return check.Evidence{Object: c.Ref, Field: "status.state", Value: state}
}
