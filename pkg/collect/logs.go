package collect

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// What reading logs may take: of each container the last lines, but no more bytes than that, in that time.
const (
	logLines     = 5000
	logBytes     = 4 << 20
	logPatience  = 10 * time.Second
	parallelLogs = 4
	maxLogs      = 32 // containers; an operator has a handful
)

// logs reads what the operator's pods logged since their containers started, after the view that found them.
func (g *gatherer) logs(ctx context.Context) error {
	if !g.needs(snapshot.OperatorPods) {
		g.operatorPods(ctx)
	}
	sources, left := logSources(g.b.Deployments(), g.b.OperatorPods())
	type answer struct {
		record *snapshot.OperatorLog
		err    error
	}
	answers := make([]answer, len(sources))
	var wg sync.WaitGroup
	slots := make(chan struct{}, parallelLogs)
	for i, s := range sources {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			answers[i].record, answers[i].err = g.log(ctx, s)
		})
	}
	wg.Wait()
	var n named
	for i, a := range answers {
		g.b.Add(snapshot.OperatorLogs, a.record)
		n.add(unread(sources[i].Pod, a.err))
	}
	for _, s := range left {
		n.add([]snapshot.Unseen{unreadLog(s.Pod, "more than "+strconv.Itoa(maxLogs)+" logs are not read")})
	}
	cover := n.coverage()
	// Of pods that could not be listed there may be logs.
	if pods := g.b.Coverage(snapshot.OperatorPods); len(pods.Unseen) > 0 {
		cover.Unseen = append(cover.Unseen, pods.Unseen...)
		if cover.State = snapshot.Partial; pods.State == snapshot.Unseeable {
			cover.State = snapshot.Unseeable
		}
	}
	g.b.Cover(snapshot.OperatorLogs, cover)
	return ctx.Err()
}

// logSources are the containers to read, and those that are too many.
func logSources(deployments []snapshot.Deployment, pods []snapshot.OperatorPod) (read, left []operator.LogSource) {
	for _, in := range operator.Find(deployments) {
		read = append(read, in.LogSources(pods)...)
	}
	read = slices.DeleteFunc(read, func(s operator.LogSource) bool {
		return !validSegment(s.Pod.Namespace) || !validSegment(s.Pod.Name)
	})
	if len(read) > maxLogs {
		return read[:maxLogs], read[maxLogs:]
	}
	return read, nil
}

func unread(p *snapshot.OperatorPod, err error) []snapshot.Unseen {
	if err == nil {
		return nil
	}
	return []snapshot.Unseen{unreadLog(p, reasonOf(err))}
}

func unreadLog(p *snapshot.OperatorPod, reason string) snapshot.Unseen {
	return snapshot.Unseen{Verb: "get", Resource: snapshot.PodLogs, Namespace: p.Namespace, Name: p.Name, Reason: reason}
}

// log reads one container's log. The server counts lines from the end and bytes from there on, so that of a log with
// long lines the newest would be missing: it is then asked for fewer. What was read counts, whatever the error.
func (g *gatherer) log(ctx context.Context, s operator.LogSource) (*snapshot.OperatorLog, error) {
	ctx, cancel := context.WithTimeout(ctx, logPatience)
	defer cancel()
	record := &snapshot.OperatorLog{Object: s.Pod.Object, Container: s.Container}
	for lines := logLines; ; lines /= 10 {
		all, err := g.tail(ctx, s, lines)
		if len(all.entries) > 0 {
			record.Entries = all.sorted()
		}
		if all.bytes < logBytes || lines < 10 || err != nil {
			return record, err
		}
	}
}

func (g *gatherer) tail(ctx context.Context, s operator.LogSource, lines int) (*logDigest, error) {
	digest := newLogDigest()
	path := "/api/v1/namespaces/" + s.Pod.Namespace + "/pods/" + s.Pod.Name + "/log"
	body, err := g.c.stream(ctx, new(input.Budget), path, "application/json, */*", map[string]string{
		"container": s.Container, "timestamps": "true", "tailLines": strconv.Itoa(lines), "limitBytes": strconv.Itoa(logBytes),
	})
	if err != nil {
		if noLogYet(err) {
			err = nil
		}
		return digest, err
	}
	defer body.Close() //nolint:errcheck // it was only read
	return digest, digest.read(body)
}

// noLogYet tells a container that has not logged anything, because it did not start, from a log that cannot be read
// (pkg/kubelet/kubelet_pods.go@v1.36.3, validateContainerLogStatus).
func noLogYet(err error) bool {
	if !apierrors.IsBadRequest(err) {
		return apierrors.IsNotFound(err)
	}
	return strings.Contains(err.Error(), "is waiting to start") || strings.Contains(err.Error(), "is not available")
}
