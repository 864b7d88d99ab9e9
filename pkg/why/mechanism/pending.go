package mechanism

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// pending is why a pod has not started: a container that waits, a volume, or the scheduler. Who is "the driver" or "4 of 6 executors".
func pending(v *View, p *corev1.Pod, who string) (cause.Cause, bool) {
	if p.Status.Phase != corev1.PodPending {
		return cause.Cause{}, false
	}
	c := cause.Cause{Subject: podRef(p), At: p.CreationTimestamp.UTC(), Trust: cause.ByPod}
	if s := condition(p, corev1.PodScheduled); s != nil && s.Status == corev1.ConditionFalse {
		c.Evidence = []cause.Proof{{Object: c.Subject, Field: "status.conditions[PodScheduled]", Value: s.Reason + ": " + s.Message,
			At: s.LastTransitionTime.UTC()}}
		return unscheduled(v, p, who, s, c), true
	}
	if says := queueSays(v, p); says != "" && p.Spec.NodeName == "" {
		c.Class, c.Trust = cause.Quota, cause.ByEvent
		c.Message = fmt.Sprintf("%s is pending for %s: %s", who, v.Age(p.CreationTimestamp.Time), says)
		for _, e := range v.eventsOn("Pod", p.Name) {
			c.Evidence = append(c.Evidence, cause.Proof{Object: c.Subject, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
		c.Evidence = append(c.Evidence, schedulingEvidence(p)...)
		c.Next = []command.Command{command.Do("wait, raise the quota of the queue, or ask for less")}
		return c, true
	}
	for _, list := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range list {
			if done := waits(v, p, who, &list[i], &c); done {
				return c, true
			}
		}
	}
	if unmounted(v, p, who, &c) {
		return c, true
	}
	return v.initRuns(p, who, c)
}

// waits reads why a container waits (kubernetes pkg/kubelet/images/types.go, pkg/kubelet/container/sync_result.go@v1.36.3).
func waits(v *View, p *corev1.Pod, who string, s *corev1.ContainerStatus, c *cause.Cause) bool {
	w := s.State.Waiting
	if w == nil {
		return false
	}
	c.Trust, c.Evidence = cause.ByContainer, []cause.Proof{{Object: c.Subject, Field: "status.containerStatuses[" + s.Name + "].state.waiting",
		Value: strings.TrimSuffix(w.Reason+": "+w.Message, ": ")}}
	message := w.Message
	for _, e := range v.eventsOn("Pod", p.Name, "Failed", "InspectFailed", "ErrImageNeverPull") {
		if strings.HasPrefix(e.Message, "Failed to pull") || strings.HasPrefix(e.Message, "Failed to apply default image") ||
			strings.Contains(e.Message, "is not present with pull policy") {
			c.Evidence = append(c.Evidence, cause.Proof{Object: c.Subject, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
			if w.Reason == "ImagePullBackOff" {
				message = e.Message
			}
		}
	}
	image := s.Image
	for _, one := range append(slices.Clone(p.Spec.Containers), p.Spec.InitContainers...) {
		if one.Name == s.Name {
			image = one.Image
		}
	}
	switch w.Reason {
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable",
		"SignatureValidationFailed":
		c.Class, c.Alike = cause.Image, image // the reason alternates between a pull and the pause after it
		c.Message = fmt.Sprintf("%s cannot start: image %s cannot be pulled (%s): %s", who, image, w.Reason, sentence(pullError(message)))
		c.Next = []command.Command{imageNext(v, p, image, w.Reason, message)}
	case "CreateContainerConfigError", "CreateContainerError", "RunContainerError":
		c.Class, c.Message = cause.Configuration, fmt.Sprintf("%s cannot start (%s): %s", who, w.Reason, missing(v, w.Message))
		c.Next = []command.Command{configNext(v, w.Message)}
		if strings.Contains(w.Message, "exec format error") {
			c.Class = cause.Image
		}
	case "CrashLoopBackOff":
		crashes(p, who, s, c)
	default:
		c.Evidence = nil
		return false
	}
	return true
}

// crashes is about a container that the kubelet restarts: of Spark's pods, a native sidecar. The driver starts after it.
func crashes(p *corev1.Pod, who string, s *corev1.ContainerStatus, c *cause.Cause) {
	c.Class, c.Certainty = cause.Configuration, check.Likely
	c.Message = fmt.Sprintf("%s cannot start: its container %s keeps crashing (%s)", who, s.Name,
		facts.Counted(int(s.RestartCount), "restart"))
	if t := s.LastTerminationState.Terminated; t != nil {
		c.Message = fmt.Sprintf("%s cannot start: its container %s keeps crashing (%s, last with exit code %d)", who, s.Name,
			facts.Counted(int(s.RestartCount), "restart"), t.ExitCode)
		if t.Reason == OOMKilled {
			c.Class = cause.ClusterKilled
			c.Message = fmt.Sprintf("%s cannot start: its container %s keeps exceeding its memory limit (OOMKilled, %s)", who, s.Name,
				facts.Counted(int(s.RestartCount), "restart"))
		}
		c.Evidence = append(c.Evidence, cause.Proof{Object: c.Subject, Field: "status of container " + s.Name + ", last end",
			Value: fmt.Sprintf("%s (exit code %d)", t.Reason, t.ExitCode), At: t.FinishedAt.UTC()})
	}
	c.Next = []command.Command{command.Do("read why container %s exits", s.Name).With("kubectl -n %s logs %s -c %s --previous", p.Namespace,
		p.Name, s.Name)}
}

// pullWrapper is what kubelet, CRI and runtime put before an error of a registry, outermost first: it says which call failed, and names the
// image again (pullImage in pkg/kubelet/images/image_manager.go of kubernetes@v1.36.3; PullImage in
// internal/cri/server/images/image_pull.go and open in core/remotes/docker/fetcher.go of containerd/containerd@v2.0.0).
var pullWrapper = regexp.MustCompile(`^(?:Failed to pull image "[^"]*"|rpc error: code = \w+ desc =|Error response from daemon|` +
	`failed to pull and unpack image "[^"]*"|failed to resolve (?:reference|image) "[^"]*"|failed to copy|httpReadSeeker|failed open|` +
	`unexpected status (?:code|from HEAD request to|from GET request to) \S+):? +`)

// pullError is what the registry, the network or the runtime said, without what wraps it.
func pullError(message string) string {
	out := strings.TrimSpace(message)
	for {
		inner := strings.TrimSpace(pullWrapper.ReplaceAllString(out, ""))
		if inner == out || inner == "" {
			return out
		}
		out = inner
	}
}

func imageNext(v *View, p *corev1.Pod, image, reason, message string) command.Command {
	lower := strings.ToLower(message)
	switch {
	case reason == "ErrImageNeverPull":
		return command.Do("set imagePullPolicy to IfNotPresent, or load image %s onto the node", image)
	case reason == "InvalidImageName":
		return command.Do("correct the image name %q in %s", image, v.imageField(p))
	case strings.Contains(lower, "unauthorized"), strings.Contains(lower, "authorization"), strings.Contains(lower, "denied"),
		strings.Contains(lower, "403"), strings.Contains(lower, "401"), strings.Contains(lower, "credential"):
		return command.Do("name a pull secret in %s that may read %s", v.secretsField(p), image)
	case strings.Contains(lower, "toomanyrequests"), strings.Contains(lower, "too many requests"):
		return command.Do("name a pull secret in %s, so that the registry's rate limit of an account counts, or copy %s "+
			"to a registry of your own", v.secretsField(p), image)
	case strings.Contains(lower, "no match for platform"), strings.Contains(lower, "no matching manifest"):
		return command.Do("build image %s for the architecture of the node, or set nodeSelector kubernetes.io/arch to one that it has", image)
	case strings.Contains(lower, "not found"), strings.Contains(lower, "manifest unknown"):
		return command.Do("push image %s, or correct its name and tag", image)
	default:
		return command.Do("find out why the node cannot reach the registry of %s", image).
			With("kubectl -n %s get events --field-selector reason=Failed", v.Subject.Namespace)
	}
}

// absent matches what the kubelet says of an object that is not there.
func absent() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(secret|configmap|serviceaccount|persistentvolumeclaim)s? "([^"]+)" (?:is )?not found`)
}

// lacksKey matches what it says of a key.
func lacksKey() *regexp.Regexp {
	return regexp.MustCompile(`(?i)couldn't find key (\S+) in (Secret|ConfigMap) (\S+)|references non-existent (secret|config) key: (\S+)`)
}

func missing(v *View, message string) string {
	if m := absent().FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("%s %q does not exist in namespace %s (not found)", kindWord(m[1]), m[2], v.Subject.Namespace)
	}
	return sentence(message)
}

func configNext(v *View, message string) command.Command {
	if m := absent().FindStringSubmatch(message); m != nil {
		kind := kindWord(m[1])
		name := m[2]
		return command.Do("create %s %s, or correct its name in the spec", kind, name).
			With("kubectl -n %s get %s", v.Subject.Namespace, strings.ToLower(kind))
	}
	if m := lacksKey().FindStringSubmatch(message); m != nil {
		return command.Do("add key %s%s to the %s, or correct the key in the spec", m[1], m[5], strings.TrimSpace(m[2]+m[4]))
	}
	return command.Do("correct what the kubelet names in the spec of the application")
}

func kindWord(text string) string {
	return map[string]string{"secret": "Secret", "configmap": "ConfigMap", "serviceaccount": "ServiceAccount",
		"persistentvolumeclaim": "PersistentVolumeClaim"}[strings.ToLower(text)]
}

// initRuns is about a pod whose init container has not come to an end.
func (v *View) initRuns(p *corev1.Pod, who string, c cause.Cause) (cause.Cause, bool) {
	for _, s := range p.Status.InitContainerStatuses {
		r := s.State.Running
		sidecar := slices.ContainsFunc(p.Spec.InitContainers, func(i corev1.Container) bool { return i.Name == s.Name && i.RestartPolicy != nil })
		if r == nil || sidecar && (s.Started == nil || *s.Started) {
			continue
		}
		if sidecar && s.RestartCount > 0 {
			crashes(p, who, &s, &c)
			c.Trust, c.At = cause.ByContainer, r.StartedAt.UTC()
			return c, true
		}
		c.Class, c.Certainty, c.Trust, c.At, c.Effect = cause.Unknown, check.Likely, cause.ByContainer, r.StartedAt.UTC(), true
		c.Message = fmt.Sprintf("%s waits for init container %s, which runs for %s", who, s.Name,
			v.Age(r.StartedAt.Time))
		c.Evidence = []cause.Proof{{Object: c.Subject, Field: "status.initContainerStatuses[" + s.Name + "].state.running",
			Value: "since " + r.StartedAt.UTC().Format("15:04:05"), At: r.StartedAt.UTC()}}
		c.Next = []command.Command{command.Do("read what the init container waits for").With("kubectl -n %s logs %s -c %s", p.Namespace,
			p.Name, s.Name)}
		return c, true
	}
	if e, pulls := v.pulls(p); pulls {
		c.Class, c.Trust, c.At = cause.SlowButProgressing, cause.ByEvent, e.Last
		c.Message = fmt.Sprintf("%s waits for its image for %s: %s", who, v.Age(e.Last), sentence(e.Message))
		c.Evidence = []cause.Proof{{Object: c.Subject, Field: "event Pulling", Value: e.Message, At: e.Last}}
		return c, true
	}
	waited := v.Now.Sub(p.CreationTimestamp.Time)
	if name := p.Spec.SchedulerName; waited.Minutes() >= 10 && p.Spec.NodeName == "" && name != "" && name != corev1.DefaultSchedulerName &&
		condition(p, corev1.PodScheduled) == nil {
		// A scheduler writes this condition when it finds no node (kubernetes pkg/scheduler/schedule_one.go@v1.36.3), and those of others too.
		c.Class, c.Certainty = cause.Scheduling, check.Likely
		c.Message = fmt.Sprintf("%s is pending for %s, and scheduler %s has written nothing about it: it does not run here, or its queue is "+
			"stuck", who, duration.HumanDuration(waited), name)
		c.Evidence = []cause.Proof{{Object: c.Subject, Field: "spec.schedulerName", Value: name}}
		c.Next = []command.Command{command.Do("check that scheduler %s is installed and runs, or remove batchScheduler from the spec", name).
			With("kubectl get pods -A | grep -i %s", name)}
		return c, true
	}
	c.Class, c.Certainty = cause.SlowButProgressing, check.Likely
	if waited.Minutes() >= 10 {
		c.Class = cause.Unknown
	}
	c.Message = fmt.Sprintf("%s is pending for %s, and nothing that was seen says why", who, duration.HumanDuration(waited))
	return c, true
}

// pulls is the event of an image that is being pulled.
func (v *View) pulls(p *corev1.Pod) (app.Event, bool) {
	events := v.eventsOn("Pod", p.Name, "Pulling", "Pulled", "Failed", "BackOff")
	if len(events) == 0 || events[len(events)-1].Reason != "Pulling" {
		return app.Event{}, false
	}
	return events[len(events)-1], true
}
