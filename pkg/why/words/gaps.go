package words

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
)

// Gap is how something that was not seen is said.
type Gap struct {
	What, Reason string
	NextTime     string // how to have it next time
	Line         string // by which an administrator lets it be read; empty: that would not help
}

// OfGap says a gap.
func OfGap(g mechanism.Gap) Gap {
	switch g.Kind {
	case mechanism.DriverPodGone:
		return gap("the "+g.Main+"'s pod and its log", "the pod is gone",
			"ship the logs of pods to a store, or raise timeToLiveSeconds if it is set")
	case mechanism.DriverLogUnread:
		return gap("the "+g.Main+"'s log", "the input does not hold it",
			"save it with kubectl logs while the pod exists, or with snapshot --logs")
	case mechanism.DriverLogEmpty:
		return gap("the "+g.Main+"'s log", "it is empty", "log to stdout or stderr: Kubernetes keeps nothing else of what a container writes")
	case mechanism.DriverUnstarted:
		return gap("the "+g.Main+"'s log", "no container of the pod has a status, so none may have started", "")
	case mechanism.RedactedLines:
		return gap(phrase.Counted(g.N, "line")+" of the "+g.Main+"'s log", "sparkdoctor took a private key or another secret out of them",
			"keep secrets out of the log, or read these lines with kubectl logs")
	case mechanism.LogZone:
		return gap("the time zone of the driver's log", "its times do not fit the life of the container",
			"let the driver log in UTC (TZ=UTC, -Duser.timezone=UTC)")
	case mechanism.FailedExecutors:
		what := "1 failed executor and its log"
		if g.N > 1 {
			what = phrase.Counted(g.N, "failed executor") + " and their logs"
		}
		return gap(what, "the pods are gone", KeepExecutors(g.Kept))
	case mechanism.LostExecutors:
		return gap("the executors that the driver lost, and their logs", "the pods are gone",
			KeepExecutors(g.Kept)+", and save them with snapshot --logs")
	case mechanism.OldEvents:
		return gap("events older than an hour", "they have expired", "ask within the hour, or export events")
	default:
		return notRead(&g)
	}
}

func gap(what, reason, nextTime string) Gap {
	return Gap{What: what, Reason: reason, NextTime: nextTime}
}

// notRead says what could not be read, and where if that is not the application's namespace.
func notRead(g *mechanism.Gap) Gap {
	out := gap(g.Resource+behind(" ", g.Name), g.Reason, overcoming(g.Obstacle))
	if g.OfNodes {
		out.What += " of nodes"
	}
	if g.Elsewhere != "" {
		out.What += " in namespace " + g.Elsewhere
	}
	if g.Obstacle == snapshot.Refused {
		rights := command.Rights{For: command.ForWhy, User: g.Reader}
		if g.Namespace != "" {
			rights.Namespaces = []string{g.Namespace}
		}
		out.Line = rights.Line()
	}
	return out
}

// overcoming says what would help against an obstacle.
func overcoming(o snapshot.Obstacle) string {
	switch o {
	case snapshot.Refused:
		return "let an administrator apply the roles"
	case snapshot.LoggedIn:
		return "log in again: the API server does not accept the credentials"
	case snapshot.TimedOut:
		return "ask again when the API server and the kubelet answer faster (--request-timeout allows more time)"
	case snapshot.Busy:
		return "ask again when the API server has fewer requests"
	case snapshot.Expired, snapshot.CutShort:
		return "ask again"
	case snapshot.Gone:
		return "ship the logs of pods to a store, or ask before the container is removed"
	case snapshot.TooLarge:
		return "read the rest with kubectl"
	case snapshot.Unsaved:
		return "save it with snapshot --logs"
	default:
		return "ask again once that is repaired"
	}
}

// unexplained has the words for a verdict that nothing stands for.
func unexplained(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case rank.CannotTell:
		return Phrase{Says: "cannot tell why"}, true
	case rank.NothingSays:
		if d.Pending != "" {
			return Phrase{"it is in " + d.Pending + " and no driver pod is there: nothing that was seen says why the operator does not go on",
				[]command.Command{scanOperator(c.Subject)}}, true
		}
		return Phrase{Says: "nothing here shows what happened to it"}, true
	case rank.Missing:
		list := make([]string, 0, len(d.Gaps))
		for _, g := range d.Gaps {
			list = append(list, OfGap(g).What)
		}
		return Phrase{Says: "missing: " + strings.Join(list, ", ")}, true
	case rank.NextTime:
		gap := OfGap(d.Gap)
		if g := d.Gap; g.Kind == mechanism.DriverLogUnread && g.Container != "" {
			return Phrase{Do: []command.Command{command.Do("read the %s's log, if its pod still exists", g.Main).
				With("kubectl -n %s logs %s -c %s", g.Namespace, g.Pod, g.Container)}}, true
		}
		if gap.NextTime == "" {
			return Phrase{}, true
		}
		p := later("next time: %s", gap.NextTime)
		p.Do[0].Line = gap.Line
		return p, true
	case rank.AskAgain:
		return later("run it again, and ask while its pods are there (%s)", KeepExecutors(d.Kept)), true
	default:
		return Phrase{}, false
	}
}

// later is advice that helps the next time only.
func later(format string, args ...any) Phrase {
	do := command.Do(format, args...)
	do.Later = true
	return Phrase{Do: []command.Command{do}}
}

// OfRuledOut says what it was not, and why.
func OfRuledOut(r rank.RuledOut) (message, because string) {
	switch r.Kind {
	case rank.CodeFailure:
		return "a code failure", "no uncaught exception in the part of the " + r.Main + "'s log that was read"
	case rank.OwnMemory:
		return "the " + r.Main + "'s memory limit", "the kubelet recorded " + r.Reason + ", not OOMKilled"
	default:
		return "an eviction of the " + r.Main, "status.reason of its pod is empty"
	}
}
