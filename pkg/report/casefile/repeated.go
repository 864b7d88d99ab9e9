package casefile

import (
	"regexp"
	"strings"
	"sync"
)

// fewestRepeated is how many words a quote repeats before they count as said twice, and shortestRepeated how many bytes several of them
// have before they do: names and codes may stand in both.
const fewestRepeated, shortestRepeated = 6, 44

// unrepeated leaves out of a statement what the quote below it says in the same words: what stands behind a colon, up to the end or to the
// next clause. What stands in brackets at the end, whose words they were, stays.
func unrepeated(text, quote string) (string, bool) {
	quote = oneLine(quote)
	for at := 0; ; {
		colon := strings.Index(text[at:], ": ")
		if colon < 0 {
			return text, false
		}
		at += colon + len(": ")
		for _, end := range clauses(text, at) {
			said, whose := strings.TrimRight(text[at:end], "."), ""
			if open := strings.LastIndex(said, " ("); open > 0 && strings.HasSuffix(said, ")") && !strings.Contains(quote, said) {
				said, whose = said[:open], said[open:]
			}
			if repeats(quote, said) {
				return unspoken(text[:at-len(": ")]) + whose + text[end:], true
			}
		}
	}
}

// unspoken leaves out the last clause of a text where it only says whose words follow.
func unspoken(text string) string {
	at := strings.LastIndex(text, "; ")
	if at < 0 || !strings.HasSuffix(text, " says") {
		return text
	}
	return text[:at]
}

// clauses are where what begins at a place of a text may end, the last of them first.
func clauses(text string, at int) []int {
	ends := []int{len(text)}
	for end := len(text); ; {
		semicolon := strings.LastIndex(text[at:end], "; ")
		if semicolon < 0 {
			return ends
		}
		end = at + semicolon
		ends = append(ends, end)
	}
}

// repeats reports whether a quote has all that is said, which may be cut in its middle and at its end.
func repeats(quote, said string) bool {
	words := 0
	for part := range strings.SplitSeq(said, "…") {
		part = strings.TrimSpace(part)
		if !strings.Contains(quote, part) {
			return false
		}
		words += len(strings.Fields(part))
	}
	return words >= fewestRepeated || words > 1 && len(said) >= shortestRepeated
}

// noise is a part of a quoted line that tells nothing, and what stands in its place.
type noise struct {
	part    *regexp.Regexp
	instead string
}

// noises are what senders put around a message for a machine, or for their support: the time of a line whose time stands in front of it
// already, ids of requests and traces (software.amazon.awssdk AwsErrorDetails; AADSTS errors of Entra ID), how a client of Kubernetes
// prints a Status (OperationSupport.java@v6.7.2 of fabric8io/kubernetes-client), what spark-submit printed before it failed, and around
// what happened how Spark tells it: the plan of a query (QueryExecutionErrors.scala@v3.5.5), the group and the partition of a consumer
// (KafkaDataConsumer.scala@v3.5.5), and of an executor which API told its end (ExecutorPodsLifecycleManager.scala@v3.5.5). Also what hands
// an error on: frames of a stack, klog, the kubelet and containerd (core/remotes/docker/fetcher.go@v2.0.0), and the body of an answer of
// Google.
var noises = sync.OnceValue(func() []noise { //nolint:gochecknoglobals // compiled once, never changed
	const place = `( at [\w./-]{1,200}\.(?:py|scala|java|kt|R):\d{1,6})?$`
	const plan = `(?:Project|Aggregate|Filter|Join|Sort|SubqueryAlias|InsertInto\w{1,40}|GlobalLimit|Distinct|Union|WithCTE|` +
		`CreateTable\w{0,20}|MergeInto\w{1,20}|DeleteFrom\w{1,20}|UpdateTable|Unresolved\w{1,30}|Window|Generate)`
	var out []noise
	for _, one := range [][2]string{
		{`^\d\d(?:\d\d)?[/-]\d\d[/-]\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?Z? (?:WARN|ERROR|INFO|FATAL) +`, ""},
		{` Received status: Status\(.*$`, ""},
		// for which workload Kueue preempted one (pkg/scheduler/preemption/preemption.go of kubernetes-sigs/kueue@006767fe)
		{` \(UID: [\w-]{1,80}(?:, JobUID: [\w-]{1,80})?\)`, ""},
		// which query ended, where its driver has one of that name (StreamExecution.scala@v3.5.5), and what Spark and Delta advise in general
		{`\[STREAM_FAILED\] Query \[id = [0-9a-f-]{36}, runId = [0-9a-f-]{36}\] terminated with exception: `, ""},
		{` Correct the value as per the syntax, or change its target type\..*?` + place, "$1"},
		{` Please note that Spark allow difference of field name: .*?` + place, "$1"},
		{` Please try the operation again\.(?: Conflicting commit: .*?)?` + place, "$1"},
		{` You may increase the limit by authenticating and upgrading: https://www\.docker\.com/increase-rate-limit`, ""},
		{`^.*\bFailure executing: [A-Z]{1,10} at: \S{1,300} Message: `, ""},
		{`^failed to .*\bException in thread "main" `, ""},
		{`,? ?(?:S3 )?(?:Extended )?Request ID: [^\s,;)]{1,200}[;,]?`, ""},
		{`,? ?Proxy: null`, ""},
		{` ?(?:Trace|Correlation) ID: [0-9a-f-]{8,64}`, ""},
		{` ?Timestamp: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`, ""},
		{` ?RequestId:[0-9a-f-]{8,64}(?: Time:\S{1,40})?`, ""},
		{`(?:; line \d{1,6} pos \d{1,6})?; ?'` + plan + ` [[(\w'].*?` + place, "$1"},
		{`\(GroupId: \S{1,200}, TopicPartition: ([^)\s]{1,300})\)`, "($1)"},
		{`\(executor (\S{1,60}) exited caused by one of the running tasks\) Reason: The executor with id \S{1,60} exited with `,
			"(executor $1): "},
		{` The API gave the following container statuses: .*$`, ""},
		{` The API gave the following (?:brief reason|message): (?:N/A)?`, " "},
		{`You may get a different result due to the upgrading (?:of|to) Spark(?: >=)? 3\.0: `, ""},
		{` Current thread 0x[0-9a-f]{1,16} \(most recent call first\):`, ""},
		{`^[EWI]\d{4} \d\d:\d\d:\d\d\.\d{6} {1,8}\d{1,8} [\w.-]{1,80}:\d{1,6}\] `, ""},
		{`\b(?:pkg/mod/)?k8s\.io/client-go@\S{1,80}/reflector\.go:\d{1,6}: `, ""},
		{` at (?:[\w.]{1,40}/)?[\w$]{1,80}\.[\w$]{1,80}\.[\w$<>.]{1,300}\((?:[\w.$ ]{1,80}(?::\d{1,6})?)\)`, ""},
		{` \.\.\. \d{1,5} more\b`, ""},
		{` \d\d/\d\d/\d\d \d\d:\d\d:\d\d INFO ShutdownHookManager: .*$`, ""},
		{`\bBack-off pulling image "[^"]{1,300}": (?:ErrImagePull: )?`, ""},
		// what preemption would not change either (pkg/scheduler/framework/preemption/preemption.go of kubernetes/kubernetes@v1.36.3)
		{`\. preemption: \d{1,6}/\d{1,6} nodes are available: .*$`, "."},
		{`\brpc error: code = \w{1,30} desc = `, ""},
		{`\bfailed to pull and unpack image "[^"]{1,300}": `, ""},
		{`\bfailed to resolve (?:reference|image) "[^"]{1,300}": `, ""},
		{`\bfailed to copy: httpReadSeeker: failed open: `, ""},
		{` (?:GET|POST|PUT|DELETE|PATCH) https://\S{1,600} \{ "code" ?: ?\d{3}, "errors" ?: ?\[ ?\{ ?"domain" ?: ?"\w{1,40}",` +
			`(?: "location" ?: ?"[^"]{0,60}", "locationType" ?: ?"[^"]{0,60}",)? "message" ?: ?"`, `: "`},
		{` (?:GET|POST|PUT|DELETE|PATCH) https://\S{1,600} \{"error":\{"code":\d{3},"message":"`, `: "`},
		{`^ApplicationRejected: |\bApplication \S{1,80} scheduling failed, reason: ApplicationRejected: `, ""},
		{`\bAn error occurred while calling [\w.]{1,80}\. ?:? `, ""},
		// the rest of a word in which a message was cut: of a longer one, a path say, the beginning tells something
		{` \S{1,12}…( at [\w./-]{1,200}:\d{1,6})?( \([^()]{1,100}\))?$`, "…$1$2"},
	} {
		out = append(out, noise{regexp.MustCompile(one[0]), one[1]})
	}
	return out
})

// quiet is a quoted line without that.
func quiet(line string) string {
	for _, one := range noises() {
		line = one.part.ReplaceAllString(line, one.instead)
	}
	return line
}
