package mechanism

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// BucketMissing is a location of an object store without a bucket, in what the application was given: a variable was replaced by nothing.
// One whose bucket is no host name for Java, such as with an underscore, leads to the same words of S3A (java.net.URI, getHost). A path
// that the program puts together itself looks alike, and then no field has it.
type BucketMissing struct {
	Field string // "spec.arguments[1]"
	Flag  string // the argument before it; empty: it is none
	Value string
	More  int          // other fields with such a value
	Named bool         // there is a bucket, and its name is no host name
	Flux  snapshot.Ref // the Kustomization that applies the application; zero: none does
}

// Mechanism names it.
func (BucketMissing) Mechanism() cause.ID { return "bucket-missing" }

// withoutBucket matches such a location: of S3A and others of Hadoop, of Cloud Storage, and of a container of Azure.
var withoutBucket = lazyregexp.New(`\b(?:(?:s3[an]?|gs|oss|cosn|obs|abfss?|wasbs?)://(?:/[^\s,;"']*|$)|(?:abfss?|wasbs?)://@[^\s,;"']*)`)

var underscored = lazyregexp.New(`\bs3[an]?://[\w.-]*_[\w.-]*(?:/[^\s,;"']*|$)`)

// ofBucket are the signatures of clients that got no bucket.
func ofBucket(id cause.ID) bool {
	return slices.Contains([]cause.ID{"s3-bucket-empty", "gcs-bucket-unset", "abfs-authority"}, id)
}

// given is a value that the application was given.
type given struct {
	field, flag, value string
	key                string // of sparkConf or hadoopConf, where the field is one
}

// WithoutBucket finds the field that has such a location, where a client says that it got no bucket.
func WithoutBucket(v *View, about *cause.Cause) (cause.Cause, bool) {
	if _, is := about.Detail.(logs.Failure); !is || !ofBucket(cause.ID(about.Signature)) || v.Application == nil {
		return cause.Cause{}, false
	}
	var d BucketMissing
	ref := v.AppRef()
	var evidence []cause.Proof
	for _, expression := range []*lazyregexp.Regexp{withoutBucket, underscored} {
		for _, one := range givenTo(v) {
			m := expression.FindString(one.value)
			if m == "" {
				continue
			}
			evidence = append(evidence, cause.Proof{Object: ref, Field: one.field, Value: one.value})
			if d.Field != "" {
				d.More++
				continue
			}
			d = BucketMissing{Field: one.field, Flag: one.flag, Value: m, Named: expression == underscored}
		}
		if d.Field != "" {
			break
		}
	}
	if d.Field == "" {
		return cause.Cause{}, false
	}
	d.Flux = fluxOf(v)
	return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: evidence}, true
}

// givenTo are the values that the spec gives to the program and to Hadoop.
func givenTo(v *View) []given {
	var out []given
	for i, value := range v.Spec.Arguments {
		one := given{field: fmt.Sprintf("spec.arguments[%d]", i), value: value}
		if i > 0 && strings.HasPrefix(v.Spec.Arguments[i-1], "-") && !strings.Contains(v.Spec.Arguments[i-1], "=") {
			one.flag = v.Spec.Arguments[i-1]
		}
		if flag, _, is := strings.Cut(value, "="); is && strings.HasPrefix(flag, "-") {
			one.flag = flag
		}
		out = append(out, one)
	}
	out = append(out, given{field: "spec.mainApplicationFile", value: v.Spec.MainApplicationFile})
	for _, list := range []struct {
		name   string
		values map[string]string
	}{{"spec.sparkConf", v.Spec.Conf}, {"spec.hadoopConf", v.Spec.HadoopConf}} {
		for _, key := range slices.Sorted(maps.Keys(list.values)) {
			out = append(out, given{field: list.name + "[" + key + "]", value: list.values[key], key: key})
		}
	}
	return out
}

// fluxOf is the Kustomization of Flux that applies the application, by the labels that it puts on what it applies
// (fluxcd.io/flux/components/kustomize/kustomizations, Garbage collection).
func fluxOf(v *View) snapshot.Ref {
	const group = "kustomize.toolkit.fluxcd.io/"
	of := snapshot.Ref{Namespace: v.Application.Labels[group+"namespace"], Name: v.Application.Labels[group+"name"]}
	if of.Namespace == "" || of.Name == "" {
		return snapshot.Ref{}
	}
	return of
}
