package rank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// maxWarnings bounds the events that are quoted beside a verdict.
const maxWarnings = 4

// saidByOthers is what was said of the subject of a fault by the operator and in warnings about its pod, with the settings of Spark that
// causes of its class are about, and where its executors ran.
func (l *lookup) saidByOthers() {
	v, c := l.v, &l.verdict.Cause
	if !c.Class.Fault() {
		return
	}
	l.add(v.AppRef(), v.MessageField(), v.Message)
	if v.State == "SUBMISSION_FAILED" {
		const retries = "restartPolicy.onSubmissionFailureRetries"
		l.add(v.AppRef(), "spec."+retries, v.Spec.Shown[retries])
	}
	warnings := 0
	seen := map[string]bool{}
	for _, e := range slices.Backward(v.Events) {
		if e.Type == "Warning" && e.Involved.Kind == "Pod" && e.Involved.Name == c.Subject.Name && !seen[e.Reason] && warnings < maxWarnings {
			seen[e.Reason] = true
			warnings++
			l.add(c.Subject, "event "+e.Reason, e.Message)
		}
	}
	if about := settingsFor(c.Class); about != nil {
		settings := v.Spec.Settings()
		for _, key := range slices.Sorted(maps.Keys(settings)) {
			if about.MatchString(key) {
				l.add(v.AppRef(), "spec.sparkConf["+key+"]", settings[key])
			}
		}
	}
	if l.role == cause.ExecutorRole && c.Class == cause.ClusterKilled {
		for _, text := range nodesOf(v) {
			l.add(v.AppRef(), "nodes of executors that ended", text)
		}
	}
}

// settingsFor matches names of settings that causes of a class are about (docs/configuration.md and docs/running-on-kubernetes.md@v3.5.5).
func settingsFor(class cause.Class) *lazyregexp.Regexp {
	text := map[cause.Class]string{
		cause.ClusterKilled: `[mM]emory|decommission|tmpfs|spark\.local\.dir`,
		cause.Configuration: `[mM]emory|maxResultSize|eventLog|upload\.path|jars\.ivy|endpoint|timeout|Timeout`,
		cause.Credentials:   `credentials\.provider|auth|endpoint|kerberos|principal`,
		cause.Network:       `endpoint|\.uris$|\.host$|\.port$|ssl|timeout|Timeout`,
		cause.Storage:       `local\.dir|persistentVolumeClaim|spark-local-dir|tmpfs|emptyDir`,
		cause.Dependency:    `spark\.jars|extraClassPath|userClassPathFirst|pyspark\.python|repositories`,
		cause.Scheduling:    `node\.selector|request\.cores|scheduler|podTemplate`,
		cause.Quota:         `limit\.cores|request\.cores|scheduler`,
		cause.Submission:    `upload\.path|podTemplate|serviceAccount`,
		cause.CodeFailed:    `checkpoint|ansi|parquet|timeParserPolicy`,
	}[class]
	if text == "" {
		return nil
	}
	return lazyregexp.New(text)
}

// nodesOf is on which nodes executors ended, the most first.
func nodesOf(v *mechanism.View) []string {
	count := map[string]int{}
	for _, e := range v.Ends {
		for _, p := range v.Executors {
			if p.Name == e.Pod.Name && p.Spec.NodeName != "" {
				count[p.Spec.NodeName]++
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	out := make([]string, 0, len(names))
	for _, name := range names[:min(len(names), maxWarnings)] {
		out = append(out, fmt.Sprintf("%d on %s", count[name], name))
	}
	return out
}
