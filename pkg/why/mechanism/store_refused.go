package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// StoreRefused is what S3 refused, by the exception of the call that failed: S3A puts the path before the words of the store
// (translateException in hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/S3AUtils.java of apache/hadoop@rel/release-3.3.6),
// and the store may name the action and the resource. Paths in other lines look alike, and may have been read without trouble.
type StoreRefused struct {
	Path    string // "s3a://bucket/events"; of a resource "s3://bucket/key"
	Bucket  string
	Action  string // "s3:GetObject"; empty: the store does not name it
	Field   string // of the spec, whose value is the path or leads to it; empty: none does
	Key     string // of sparkConf or hadoopConf, where that field is one
	Event   bool   // it is where Spark writes its event log
	Account string // service account of the pod, where it acts as the role that this names; empty: that was not seen
	Role    string // its name
	Actor   string // who asked, as the store names it; empty: it does not
	Node    bool   // that is the role of a node
	Said    cause.Proof
}

// Mechanism names it.
func (StoreRefused) Mechanism() cause.ID { return "store-refused" }

var (
	refusedPath   = lazyregexp.New(`^(s3[an]?://([^/\s:]+)(?:/[^\s:]*)?): `)
	refusedAction = lazyregexp.New(`is not authorized to perform: (s3:\w+)(?: on resource: "?arn:[\w-]+:s3:::([^/\s"]+)(/[^\s"]*)?)?`)
)

// eventLog is where Spark writes the events of an application (docs/configuration.md@v3.5.5).
const eventLog = "spark.eventLog.dir"

// settings are those that its words name.
func (d *StoreRefused) settings() (out []string) {
	if d.Key != "" {
		out = append(out, d.Key)
	}
	if d.Event {
		out = append(out, "spark.eventLog.enabled")
	}
	return out
}

// RefusedBy says what S3 refused, where that is why an application failed.
func RefusedBy(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	ofS3 := known.Signature.ID == "s3-forbidden" ||
		known.Signature.ID == "s3-action-denied" && strings.HasPrefix(known.Groups["action"], "s3:")
	if !is || !ofS3 || failed.OfMetastore || len(about.Evidence) == 0 {
		return cause.Cause{}, false
	}
	var d StoreRefused
	for i := range failed.Chain {
		d.read(&failed.Chain[i])
	}
	if d.Bucket == "" && d.Action == "" {
		return cause.Cause{}, false
	}
	d.Said.Object, d.Said.Field, d.Said.At = about.Subject, about.Evidence[0].Field, about.At
	if at := slices.IndexFunc(failed.Actors, func(a logs.Actor) bool { return a.Cloud == logs.Amazon }); at >= 0 {
		d.Actor, d.Node = failed.Actors[at].Name, failed.Actors[at].Instance != ""
	}
	role, pod := actingPod(v, about, &failed)
	if acts := actsAs(v, role, pod); acts != "" && !ofOtherActor(&failed, acts) {
		d.Account, d.Role = accountOf(v, role, pod), acts
	}
	out := cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust}
	if one, is := leadsTo(v, d.Path); is {
		d.Field, d.Key, d.Event = one.field, one.key, one.key == eventLog
		out.Evidence = []cause.Proof{{Object: v.AppRef(), Field: one.field, Value: one.value}}
	}
	out.Detail = d
	return out, true
}

// read takes from an exception what it says was refused.
func (d *StoreRefused) read(t *logs.Throwable) {
	if m := refusedPath.FindStringSubmatch(t.Message); m != nil && d.Path == "" && strings.HasSuffix(t.Class, "AccessDeniedException") {
		d.Path, d.Bucket = m[1], m[2]
		if d.Said.Value == "" {
			d.Said.Value = "AccessDeniedException: " + untilStore(t.Message)
		}
	}
	if m := refusedAction.FindStringSubmatchIndex(t.Message); m != nil && d.Action == "" {
		d.Action = t.Message[m[2]:m[3]]
		d.Said.Value = t.Message[m[0]:m[1]]
		if m[6] >= 0 {
			d.Said.Value = t.Message[m[0]:m[6]] + "/…"
		}
		if m[4] >= 0 && d.Path == "" {
			d.Bucket = t.Message[m[4]:m[5]]
			d.Path = "s3://" + d.Bucket
			if m[6] >= 0 {
				d.Path += t.Message[m[6]:m[7]]
			}
		}
	}
}

// untilStore is what S3A says of a call, before the words of the store.
func untilStore(message string) string {
	before, _, _ := strings.Cut(message, ": com.amazonaws.")
	before, _, _ = strings.Cut(before, ": software.amazon.")
	return before
}

// ofOtherActor reports whether the store names another who asked.
func ofOtherActor(f *logs.Failure, role string) bool {
	return slices.ContainsFunc(f.Actors, func(a logs.Actor) bool { return a.Cloud == logs.Amazon && a.Name != role })
}

// actsAs is the role by which a pod asks S3: its service account names one, the webhook of EKS gave it the token of that, and the spec
// names no keys that come first; empty: that was not seen.
func actsAs(v *View, role cause.Role, pod *corev1.Pod) string {
	account := accountNamed(v, accountOf(v, role, pod))
	c := mainContainer(pod)
	given := c != nil && slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == "AWS_WEB_IDENTITY_TOKEN_FILE" })
	if account == nil || !given || v.givesKeys() {
		return ""
	}
	named := account.Annotations[AmazonRole]
	return named[strings.LastIndex(named, "/")+1:]
}

// leadsTo is the value of the spec that is a path, or a folder above it.
func leadsTo(v *View, path string) (given, bool) {
	if path == "" || v.Application == nil {
		return given{}, false
	}
	place := func(location string) string {
		_, rest, _ := strings.Cut(location, "://")
		return strings.TrimRight(rest, "/")
	}
	for _, one := range givenTo(v) {
		value := one.value
		if flag, after, is := strings.Cut(value, "="); is && strings.HasPrefix(flag, "-") {
			value = after
		}
		if !strings.HasPrefix(value, "s3") || !strings.Contains(value, "://") {
			continue
		}
		if at := place(value); place(path) == at || strings.HasPrefix(place(path), at+"/") {
			return one, true
		}
	}
	return given{}, false
}
