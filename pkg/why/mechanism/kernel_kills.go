package mechanism

import (
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// kernelKills are events about processes of a program that the kernel killed for memory, on the nodes of the executors; on any node, where
// nothing tells which these are. One process counts once: where a node as a whole ran out, the kubelet tells of it, too.
func kernelKills(v *View, program string, nodes []string, from, to time.Time) []app.Event {
	var out []app.Event
	told := map[string]bool{}
	for _, e := range v.Events {
		ofNodes := len(nodes) == 0 || slices.Contains(nodes, e.Involved.Name)
		inTime := !e.Last.Before(from) && !e.Last.After(to)
		if ofNodes && inTime && e.Involved.Kind == "Node" && e.KernelKilled() && strings.Contains(e.Message, program) {
			if m := killedProcess.FindStringSubmatch(e.Message); m != nil {
				process := e.Involved.Name + " " + m[1]
				if told[process] {
					continue
				}
				told[process] = true
			}
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b app.Event) int { return a.Last.Compare(b.Last) })
	return out
}

// executorNodes are the nodes of the executors: by their pods, and of those that are gone by events about them.
func executorNodes(v *View) []string {
	var pods, nodes []string
	for _, p := range v.Executors {
		pods = append(pods, p.Name)
	}
	for _, e := range v.Events {
		if app.PodNameOf(e.Involved.Name).Executor != "" && e.Involved.Kind == "Pod" {
			pods = append(pods, e.Involved.Name)
		}
	}
	slices.Sort(pods)
	for _, name := range slices.Compact(pods) {
		if node := v.nodeOf(name); node != "" && !slices.Contains(nodes, node) {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// killedProcess matches the number of a process in what the kernel says, and the kubelet (pkg/kubelet/oom/oom_watcher_linux.go of
// kubernetes/kubernetes@v1.36.3).
var killedProcess = lazyregexp.New(`\b(?:Killed process|pid:) (\d+)`)

// anonymous is what a process that the kernel killed held in memory of its own (__oom_kill_process in mm/oom_kill.c of
// torvalds/linux@v6.1).
var anonymous = lazyregexp.New(`\banon-rss:(\d{1,15})kB`)

// largestKilled is the most that one of the processes held; zero: the events do not say.
func largestKilled(kills []app.Event) (most resource.Quantity) {
	for i := range kills {
		if m := anonymous.FindStringSubmatch(kills[i].Message); m != nil {
			if held, err := resource.ParseQuantity(m[1] + "Ki"); err == nil && held.Cmp(most) > 0 {
				most = held
			}
		}
	}
	return most
}
