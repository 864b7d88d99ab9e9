package collect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// What reading the logs of an application may take.
const (
	tailLines        = 40_000   // asked for at once: some 4 MiB of what Spark logs
	logTransfer      = 64 << 20 // bytes of one container
	failedExecutors  = 10       // whose logs are read
	executorTails    = 12 << 20 // bytes that are kept of all of them
	executorTailLess = 1 << 20  // and at least of each
)

// logOf is one log to read.
type logOf struct {
	pod       *snapshot.Whole
	container string
	previous  bool
	tail      int
}

// readLogs reads the logs of drivers, and of executors that failed.
func (r *reader) readLogs(ctx context.Context) {
	list := r.logSources()
	slots := make(chan struct{}, parallelLogs)
	var wg sync.WaitGroup
	r.saw(snapshot.ApplicationLogs, true)
	texts := make([]*snapshot.PodLog, len(list))
	for i, one := range list {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			text, failed := r.log(ctx, one)
			if text.Read > 0 {
				texts[i] = text.Of(one.pod.Ref, one.container, one.previous)
			}
			if failed.reason != "" {
				r.saw(snapshot.ApplicationLogs, false, snapshot.Unseen{
					Verb: "get", Resource: snapshot.PodLogs, Namespace: one.pod.Namespace, Name: one.pod.Name,
					Reason: one.container + ": " + failed.reason, Obstacle: failed.obstacle,
				})
			}
		})
	}
	wg.Wait()
	for _, text := range texts { // in the same order each time
		if text != nil {
			r.g.add(snapshot.ApplicationLogs, text)
		}
	}
}

// logSources are the containers whose logs are read: of drivers all that ran, of executors those that failed.
func (r *reader) logSources() []logOf {
	var out, executors []logOf
	failed := 0
	for _, p := range r.failedFirst() {
		if !validSegment(p.Name) {
			continue
		}
		if !isExecutor(p) {
			out = append(out, containersOf(p, true)...)
			continue
		}
		if hasProblem(p) {
			if failed++; failed <= failedExecutors {
				executors = append(executors, containersOf(p, false)...)
			}
		}
	}
	if failed > failedExecutors {
		r.saw(snapshot.ApplicationLogs, false, snapshot.Unseen{
			Verb: "get", Resource: snapshot.PodLogs, Namespace: r.namespace,
			Reason:   "of " + strconv.Itoa(failed) + " executors that failed the logs of " + strconv.Itoa(failedExecutors) + " are read",
			Obstacle: snapshot.TooLarge,
		})
	}
	for i := range executors {
		executors[i].tail = min(whole.TailBytes, max(executorTailLess, executorTails/len(executors)))
	}
	return append(out, executors...)
}

// containersOf are the containers of a pod that have something to say: the one of Spark, and others that failed.
func containersOf(p *snapshot.Whole, all bool) []logOf {
	var out []logOf
	statuses := whole.ContainerStatuses(p)
	named := slices.ContainsFunc(statuses, func(s whole.ContainerStatus) bool { return !s.Init && byName(s.Name) })
	for _, s := range statuses {
		ofSpark := byName(s.Name) || all && !named
		tells := s.Failed || ofSpark && !s.Init
		if s.Started && tells {
			out = append(out, logOf{pod: p, container: s.Name, tail: whole.TailBytes})
		}
		if s.Restarted {
			out = append(out, logOf{pod: p, container: s.Name, previous: true, tail: whole.TailBytes})
		}
	}
	slices.SortStableFunc(out, func(a, b logOf) int { return cmp.Compare(a.container, b.container) })
	return out
}

// byName tells the container of Spark (Config.scala, spark.kubernetes.*.podTemplateContainerName; Constants.scala@spark-3.5.5). A template
// may give it any other name.
func byName(container string) bool {
	return strings.HasPrefix(container, "spark-kubernetes-") || strings.HasPrefix(container, "spark-connect")
}

// hasProblem reports whether a pod failed, or any of its containers did.
func hasProblem(p *snapshot.Whole) bool {
	return whole.PodOf(p).Phase == "Failed" ||
		slices.ContainsFunc(whole.ContainerStatuses(p), func(s whole.ContainerStatus) bool { return s.Failed })
}

// log reads one log, and says why not all of what was wanted. The server counts lines from the end and bytes from there on, so that with
// limitBytes the newest would be missing: lines are asked for, fewer of them if they are so long that too much comes, and the beginning
// by itself if there are more lines.
func (r *reader) log(ctx context.Context, of logOf) (whole.Text, unreadable) {
	ctx, cancel := context.WithTimeout(metered(ctx, snapshot.ApplicationLogs), logPatience)
	defer cancel()
	for lines, most := tailLines, int64(logTransfer/2); ; lines, most = lines/10, most/2 {
		text, err := r.stream(ctx, of, map[string]string{"tailLines": strconv.Itoa(lines)}, most)
		switch {
		case err != nil:
			return text, reason(err)
		case gone(text):
			return whole.Text{}, unreadable{"the container's log is gone", snapshot.Gone}
		case int64(text.Read) >= most && lines > 100:
			continue
		case int64(text.Read) >= most:
			return text, unreadable{"gave up after " + strconv.Itoa(logTransfer>>20) + " MiB", snapshot.TooLarge}
		case text.Lines < lines:
			return text, unreadable{}
		}
		first, err := r.stream(ctx, of, map[string]string{"limitBytes": strconv.Itoa(whole.HeadBytes)}, whole.HeadBytes)
		if err != nil {
			return text.Begun(nil), reason(err)
		}
		return text.Begun(first.Tail), unreadable{}
	}
}

func (r *reader) stream(ctx context.Context, of logOf, params map[string]string, most int64) (whole.Text, error) {
	params["container"] = of.container
	if of.previous {
		params["previous"] = "true"
	}
	path := "/api/v1/namespaces/" + r.namespace + "/pods/" + of.pod.Name + "/log"
	body, err := r.g.c.stream(ctx, new(input.Budget), path, "application/json, */*", params)
	if err != nil {
		return whole.Text{}, err
	}
	defer body.Close() //nolint:errcheck // read only
	return whole.ReadLog(body, of.tail, most)
}

// unreadable is why a log could not be read.
type unreadable struct {
	reason   string
	obstacle snapshot.Obstacle
}

// reason says why a log could not be read; nothing of a container that has not started, which has none
// (pkg/kubelet/kubelet_pods.go@v1.36.3, validateContainerLogStatus).
func reason(err error) unreadable {
	if !apierrors.IsNotFound(err) && noLogYet(err) {
		return unreadable{}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCutShort
	}
	if apierrors.IsGone(err) || apierrors.IsResourceExpired(err) {
		return unreadable{"the log is gone (410 Gone)", snapshot.Gone}
	}
	if apierrors.IsNotFound(err) {
		return unreadable{reasonOf(err), snapshot.Gone}
	}
	return unreadable{reasonOf(err), obstacleOf(err)}
}

// gone tells what a kubelet answers, as if it were a log, for a container that its runtime has removed
// (pkg/kubelet/kuberuntime/kuberuntime_container.go@v1.36.3, GetContainerLogs).
func gone(t whole.Text) bool {
	return t.Read < 1<<10 && bytes.HasPrefix(t.Tail, []byte("unable to retrieve container logs for "))
}
