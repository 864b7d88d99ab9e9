package logs

import (
	"cmp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Clock is what the times in a log mean that name no zone. A container runs in UTC unless its image, TZ, or an option of the JVM says
// otherwise; then its times do not fit those that the kubelet recorded for it.
type Clock struct {
	Ahead   time.Duration // of UTC
	Unknown bool          // they fit no zone: nothing follows from them
}

// What is allowed between the clock of a kubelet and a log, and for a process to write its first line or its last.
const (
	skew      = time.Minute
	firstLine = 3 * time.Minute
	// Zones are a quarter of an hour apart at least: what differs by less than half of it is a clock that is wrong.
	wrongClock = 7 * time.Minute
)

// zones are the differences from UTC that are in use (the tz database of IANA, 2025b, by today's rules).
func zones() []time.Duration {
	out := []time.Duration{}
	for hour := -12; hour <= 14; hour++ {
		out = append(out, time.Duration(hour)*time.Hour)
	}
	for _, minutes := range []int{-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825} {
		out = append(out, time.Duration(minutes)*time.Minute)
	}
	return out
}

// ClockOf infers the zone of a log from when its container started and ended.
func ClockOf(e *app.Evidence, l *app.Log) Clock {
	pod := podsByName(e)[l.Namespace+"/"+l.Pod]
	run, known := runOf(e, pod, l)
	if !known || run.fits(0, wrongClock) && !run.startsLate() && !setsZone(pod, l.Container, e.Application) {
		return Clock{}
	}
	for _, ahead := range zones() {
		if run.touches(ahead) && run.fits(ahead, skew) {
			return Clock{Ahead: ahead}
		}
	}
	return Clock{Unknown: !run.fits(0, skew)}
}

// run is when a container started and ended, and the first time and the last that its log has.
type run struct {
	begin, end  time.Time
	first, last time.Time
	over        bool // it ended
	open        bool // it did not, and when its log was saved is not known
	whole       bool // the log has its beginning
}

// runOf is false if the kubelet did not record when the container started, or the log names no time without a zone.
func runOf(e *app.Evidence, pod *corev1.Pod, l *app.Log) (run, bool) {
	r := run{first: firstStamp(cmp.Or(l.Head, l.Tail)), last: lastStamp(l.Tail), whole: l.Head != "" || l.Dropped == 0}
	r.begin, r.end, r.over = life(pod, l)
	r.open = !r.over && e.Dated
	switch {
	case r.open:
		r.end = r.last.Add(24 * time.Hour)
	case !r.over:
		r.end = e.Now
	}
	return r, r.begin.Unix() > 0 && !r.first.IsZero() && !r.last.IsZero()
}

// fits reports whether the log was written while the container ran, if its clock is ahead of UTC.
func (r *run) fits(ahead, skew time.Duration) bool {
	return !r.first.Add(-ahead).Before(r.begin.Add(-skew)) && !r.last.Add(-ahead).After(r.end.Add(skew))
}

// touches reports whether the log begins right after the container started, or ends when that ended, if its clock is ahead of UTC.
func (r *run) touches(ahead time.Duration) bool {
	starts := r.first.Add(-ahead).Sub(r.begin)
	ends := r.end.Sub(r.last.Add(-ahead))
	nearStart := r.whole && starts >= -skew && starts <= firstLine
	nearEnd := r.over && ends >= -skew && ends <= skew
	return nearStart || nearEnd
}

// startsLate reports whether the first time is too far from the start of the container, where only the start tells the zone.
func (r *run) startsLate() bool {
	return r.open && r.whole && r.first.Sub(r.begin) > firstLine+wrongClock
}

// Latest is the latest time that a logger wrote, in UTC; zero: none is known.
func Latest(e *app.Evidence) time.Time {
	var out time.Time
	for i := range e.Logs {
		l := &e.Logs[i]
		if last := read(l.Head, l.Tail, ClockOf(e, l)).last; last.After(out) {
			out = last
		}
	}
	return out
}

func (c Clock) utc(at time.Time, zoned bool) time.Time {
	switch {
	case zoned, at.IsZero():
		return at
	case c.Unknown:
		return time.Time{}
	default:
		return at.Add(-c.Ahead)
	}
}

// set puts right the times that were read.
func (c Clock) set(r *reader) {
	for i := range r.entries {
		r.entries[i].at = c.utc(r.entries[i].at, r.entries[i].zoned)
	}
	r.finished.at = c.utc(r.finished.at, r.finished.zoned)
	r.paced.at = c.utc(r.paced.at, r.paced.zoned)
	r.stage.at = c.utc(r.stage.at, r.stage.zoned)
	r.tries.Since, r.tries.Last = c.utc(r.tries.Since, r.tries.zoned), c.utc(r.tries.Last, r.tries.zoned)
}

// life is when the container of a log started, and when it ended.
func life(pod *corev1.Pod, l *app.Log) (begin, end time.Time, over bool) {
	if pod == nil {
		return begin, end, false
	}
	for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range list {
			if list[i].Name != l.Container {
				continue
			}
			state := list[i].State
			if l.Previous {
				state = list[i].LastTerminationState
			}
			if state.Running != nil {
				return state.Running.StartedAt.UTC(), end, false
			}
			if state.Terminated != nil {
				return state.Terminated.StartedAt.UTC(), state.Terminated.FinishedAt.UTC(), true
			}
		}
	}
	return begin, end, false
}

// setsZone reports whether a container is told another zone, or may be: its times may fit its life by accident.
func setsZone(pod *corev1.Pod, container string, a *app.Application) bool {
	for _, c := range pod.Spec.Containers {
		if c.Name != container {
			continue
		}
		for _, env := range c.Env {
			if env.Name == "TZ" {
				return true
			}
		}
		for _, mount := range c.VolumeMounts {
			if mount.MountPath == "/etc/localtime" {
				return true
			}
		}
	}
	if a == nil {
		return false
	}
	role := pod.Labels["spark-role"]
	options, conf := a.Spec.Role(role).JavaOptions, a.Spec.Conf
	return strings.Contains(options+conf["spark."+role+".extraJavaOptions"]+conf["spark."+role+".defaultJavaOptions"], "user.timezone")
}

// maxSearched is in how many lines a time is looked for.
const maxSearched = 200

func firstStamp(text string) time.Time {
	n := 0
	for line := range strings.Lines(text) {
		if at, found := bareStamp(line); found {
			return at
		}
		if n++; n > maxSearched {
			break
		}
	}
	return time.Time{}
}

func lastStamp(text string) time.Time {
	for range maxSearched {
		text = strings.TrimRight(text, "\n")
		start := strings.LastIndexByte(text, '\n') + 1
		if at, found := bareStamp(text[start:]); found {
			return at
		}
		if text = text[:start]; text == "" {
			break
		}
	}
	return time.Time{}
}

// bareStamp is a time that names no zone.
func bareStamp(line string) (time.Time, bool) {
	line, known := unwrapped(line)
	m := stamp.FindStringSubmatch(line)
	if m == nil || m[7] != "" || !known.IsZero() {
		return time.Time{}, false
	}
	at := parseStamp(m)
	return at, !at.IsZero()
}
