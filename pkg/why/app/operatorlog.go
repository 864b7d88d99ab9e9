package app

import (
	"regexp"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// operatorError matches a line in which the operator logs an error: klog up to 1.x, zap since 2.0.0.
var operatorError = lazyregexp.New(`E\d{4} \d\d:\d\d:\d\d\.|\bERROR\b|"level":"error"`)

// begins matches the first line of an entry in either layout; an error may have lines of its own.
var begins = lazyregexp.New(`^(?:[IWEF]\d{4} |\d{4}-\d\d-\d\d|\{)`)

const maxFollowing = 4

// stamped matches what kubectl logs --timestamps and the container runtime put before a line (pkg/kubelet/kuberuntime/logs/logs.go of
// kubernetes@v1.36.3), and the color that a logger puts there; zap's own times have fewer digits, and a tab behind them.
var stamped = lazyregexp.New(`^(?:\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6,9}(?:Z|[+-]\d{2}:\d{2}) (?:(?:stdout|stderr) [FP] )?)?(?:\x1b\[[\d;]*m)*`)

// blind matches an operator that cannot read any application, whichever is asked for, and will not by trying again
// (tools/cache/reflector.go of k8s.io/client-go@v0.32.5; operators of 1.x write "Failed", #402).
var blind = lazyregexp.New(`[Ff]ailed to (?:list|watch) \*(?:v1beta2\.SparkApplication|v1alpha1\.SparkConnect): .*(?:` + undecoded +
	`|is forbidden: User |could not find the requested resource)`)

// undecoded are the words of decoders, of which that of a quantity does not name itself (pkg/api/resource/quantity.go of
// k8s.io/apimachinery@v0.32.5, ErrFormatWrong).
const undecoded = `decode|unmarshal|quantities must match`

var unlisted = lazyregexp.New(`[Ff]ailed to list .*(?:` + undecoded + `)`)

// conflict is what a write says that came too late, which the operator tries again at once (k8s.io/apiserver
// pkg/registry/generic/registry/store.go@v0.36.3).
const conflict = "the object has been modified"

// errorsAbout are the errors in a log of the operator that name the application, or its PodGroup, "spark-NAME-pg"
// (pkg/batchscheduler/volcano/volcano_scheduler.go@c261df6), and its namespace, and those about all applications.
func (s *sorter) errorsAbout(l *Log) (out []Said) {
	name := s.application()
	if name == "" {
		return nil
	}
	whole := func(word string) *regexp.Regexp { return regexp.MustCompile(`(?:^|[^\w.-])` + word + `(?:$|[^\w.-])`) }
	names := whole(`(?:` + regexp.QuoteMeta(name) + `|spark-` + regexp.QuoteMeta(name) + `-pg)`)
	namespace := whole(regexp.QuoteMeta(s.e.Subject.Namespace))
	defer func() {
		for i := range out {
			said := &out[i]
			said.Forbidden, said.Unlisted = strings.Contains(said.Text, " is forbidden: User "), unlisted.MatchString(said.Text)
		}
	}()
	more := 0 // lines of the last error that may follow
	for line := range strings.Lines(l.Tail) {
		line = strings.TrimSpace(stamped.ReplaceAllString(line, ""))
		if more > 0 && !begins.MatchString(line) {
			out[len(out)-1].Text += " " + line
			more--
			continue
		}
		more = 0
		named := names.MatchString(line) && namespace.MatchString(line)
		about := named || blind.MatchString(line)
		if operatorError.MatchString(line) && about && !strings.Contains(line, conflict) {
			out = append(out, Said{Container: l.Container, Text: line, At: loggedAt(line),
				Pod: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: l.Namespace, Name: l.Pod}})
			if !strings.HasSuffix(line, "}") { // else the stack of the operator follows, as zap writes it
				more = maxFollowing
			}
		}
	}
	return out
}

// loggedAt is when a line was logged, as zap writes it; klog leaves out the year and the zone.
func loggedAt(line string) time.Time {
	stamp, _, _ := strings.Cut(line, "\t")
	stamp, _, _ = strings.Cut(stamp, " ")
	at, err := snapshot.ParseTime(stamp)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
