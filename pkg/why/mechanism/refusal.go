package mechanism

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// RefusalKind is what refused, as far as its words tell.
type RefusalKind string

// The kinds, and what Name and Said of each are.
const (
	EtcdFull              RefusalKind = "etcd-full"             // the database of the cluster takes no writes
	PodSecurityRefuses    RefusalKind = "pod-security"          // Name: the profile; Said: the violations
	QuotaExceeded         RefusalKind = "quota-exceeded"        // Name: the quota; Said: the amounts
	QuotaExceededUntold   RefusalKind = "quota-exceeded-untold" // Name: the quota; the amounts were cut off
	QuotaCountsUnset      RefusalKind = "quota-counts-unset"    // Name: the quota; Said: "must specify …"
	WebhookDenies         RefusalKind = "webhook-denies"        // Name: the webhook; Said: its words
	PolicyDenies          RefusalKind = "policy-denies"         // Name: the ValidatingAdmissionPolicy; Said: its words
	WebhookUncalled       RefusalKind = "webhook-uncalled"      // Name: the webhook; Said: why
	AccountMissing        RefusalKind = "account-missing"       // Name: the account; Said: words
	PriorityClassMissing  RefusalKind = "priority-class-missing"
	FinalizersForbidden   RefusalKind = "finalizers-forbidden"
	NotPermitted          RefusalKind = "not-permitted"   // Asked says what
	LimitRangeRefuses     RefusalKind = "limit-range"     // Said: its words
	Forbidden             RefusalKind = "forbidden"       // Said: the words behind it
	Invalid               RefusalKind = "invalid"         // Name: the object; Said: words
	LeftOver              RefusalKind = "left-over"       // Name: what already exists
	HostUnresolved        RefusalKind = "host-unresolved" // Name: the host
	PackageUnresolved     RefusalKind = "package-unresolved"
	SubmitLacksClass      RefusalKind = "submit-lacks-class"
	CredentialsUnaccepted RefusalKind = "credentials-unaccepted"
	APIServerUnreachable  RefusalKind = "unreachable" // or another server: the words name it
)

// Refusal is why a submission failed, in words of the API server or of spark-submit that are known.
type Refusal struct {
	Kind  RefusalKind
	Class cause.Class
	Name  string // of what refused, or of what is missing; empty: the words do not name it
	Said  string // the words behind it, to be shown
	// By kind, what the words say as values:
	Asked   Permission            // of NotPermitted
	Amount  Amount                // of QuotaExceeded, where it lacks one resource
	Unset   []corev1.ResourceName // of QuotaCountsUnset: what must be specified; of policies: what their words ask for
	Exceeds *Exceeds              // of LimitRangeRefuses and Invalid, where they are about a size
	CutOff  bool                  // of WebhookUncalled: the connection was closed before an answer
	Fault   CallFault             // of WebhookUncalled
	Service Endpoint              // of WebhookUncalled: what was called; zero: the words do not name it
	// OfWebUI says that the Service or Ingress of the driver's web UI was refused, not the driver.
	OfWebUI bool
	Topics  cause.Topics // of what was refused: quotas, LimitRanges and policies name the resource
}

// Permission is what a user was not allowed to do.
type Permission struct{ User, Verb, Resource, Namespace string }

// Key is the same for submissions that failed for one reason: it holds the name of what refused, and no numbers.
func (r *Refusal) Key() string {
	return strings.TrimSpace(string(r.Kind) + " " + cmp.Or(r.Name, r.Asked.User))
}

// Refused reads what spark-submit printed, or the API server answered.
func (m *Messages) Refused(text string) (Refusal, bool) {
	text = FirstAnswer(text)
	for _, r := range m.refusals {
		if said := r.text.FindStringSubmatch(text); said != nil {
			return r.read(said, strings.HasPrefix(text, ofWebUI) || strings.HasPrefix(text, ofWebUIBefore)), true
		}
	}
	return Refusal{}, false
}

// read takes a refusal apart: said is what matched, and the groups of it.
func (r *refusal) read(said []string, ofWebUI bool) Refusal {
	group := func(name string) string {
		if i := r.text.SubexpIndex(name); i > 0 {
			return said[i]
		}
		return ""
	}
	out := Refusal{Kind: r.kind, Class: r.class, Name: group("name"), Said: group("said"), OfWebUI: ofWebUI,
		Asked:  Permission{User: group("user"), Verb: group("verb"), Resource: group("resource"), Namespace: group("namespace")},
		Topics: ofMemory(namesMemory(said[0]))}
	switch r.kind {
	case QuotaExceeded:
		out.Said = strings.TrimRight(out.Said, ".")
		out.Amount = amountIn(out.Said)
	case QuotaCountsUnset:
		out.Unset = unsetIn(out.Said)
	case PolicyDenies, WebhookDenies:
		if asksForLimit.MatchString(out.Said) {
			out.Unset = []corev1.ResourceName{corev1.ResourceLimitsCPU}
		}
	case LimitRangeRefuses, Invalid:
		out.Exceeds = exceedsIn(r.kind, out.Said)
	case WebhookUncalled:
		out.CutOff = cutOff.MatchString(out.Said)
		out.Fault, out.Service = faultOf(out.Said), endpointIn(said[0])
	}
	return out
}

// asksForLimit matches the words of a policy that misses the limit of CPU: the API and policies write the field so.
var asksForLimit = lazyregexp.New(`\b(?:resources\.)?limits\.cpu\b`)

// refusal is one way in which a submission fails: what the text contains, and what that means.
type refusal struct {
	kind  RefusalKind
	class cause.Class
	text  *lazyregexp.Regexp
}

// refusals are in order: the API server's own words before those of spark-submit around them. Sources: kubernetes
// plugin/pkg/admission/{resourcequota,serviceaccount,podpriority,limitranger},
// staging/src/k8s.io/{pod-security-admission,apiserver}@v1.36.3.
func refusals() []refusal {
	re := lazyregexp.New
	return []refusal{
		// api/v3rpc/rpctypes/error.go of etcd-io/etcd@05dccdc, ErrGRPCNoSpace, which the API server hands on
		{EtcdFull, cause.Configuration, re(`(?P<said>etcdserver: mvcc: database space exceeded)`)},
		{PodSecurityRefuses, cause.Submission, re(`violates PodSecurity "(?P<name>[^"]+)": (?P<said>(?s:.+))`)},
		{QuotaExceeded, cause.Quota, re(`exceeded quota: (?P<name>[^,]+), (?P<said>requested: .+?, used: .+?, limited: \S+)`)},
		{QuotaExceededUntold, cause.Quota, re(`exceeded quota: (?P<name>[^,\s]+)`)},
		{QuotaCountsUnset, cause.Quota, re(`failed quota: (?P<name>[^:]+): (?P<said>must specify \S+)`)},
		{WebhookDenies, cause.Submission, re(`admission webhook "(?P<name>[^"]+)" denied the request: ?(?P<said>(?s:.+))`)},
		{WebhookUncalled, cause.Submission,
			re(`failed calling webhook "(?P<name>[^"]+)": (?:failed to call webhook: )?(?:Post "[^"\s]+": )?(?P<said>(?s:.+))`)},
		{AccountMissing, cause.Configuration, re(`error looking up service account (?P<name>\S+?): (?P<said>(?s:.+))`)},
		{PriorityClassMissing, cause.Configuration, re(`no PriorityClass with name (?P<name>\S+) was found`)},
		// plugin/pkg/admission/gc/gc_admission.go@v1.36.3, OwnerReferencesPermissionEnforcement: on in OpenShift
		{FinalizersForbidden, cause.Credentials, re(`cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on`)},
		{NotPermitted, cause.Credentials,
			re(`[Uu]ser "(?P<user>[^"]+)" cannot (?P<verb>\w+) resource "(?P<resource>[^"]+)"(?s:.*?)in the namespace "(?P<namespace>[^"]+)"`)},
		// staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go, kubernetes@0cbcb7c
		{PolicyDenies, cause.Submission, re(`ValidatingAdmissionPolicy '(?P<name>[^']+)'(?: with binding '[^']+')? denied request: ` +
			`(?P<said>(?s:.+?))(?:$|\. Received)`)},
		{LimitRangeRefuses, cause.Submission,
			re(`(?P<said>(?:maximum|minimum) \S+ usage per (?:Container|Pod) is (?s:.+?))(?:\]?$|\]?\. Received)`)},
		{Forbidden, cause.Submission, re(`is forbidden: (?P<said>(?s:.+?))(?:$|\. Received)`)},
		{Invalid, cause.Configuration, re(`(?:[Pp]od|Service|ConfigMap) "(?P<name>[^"]+)" is invalid: (?P<said>(?s:.+?))(?:$|\. Received)`)},
		{LeftOver, cause.Submission, re(`"(?P<name>[^"]+)" already exists`)},
		{HostUnresolved, cause.Network, re(`UnknownHostException: (?P<name>[\w.-]+)`)},
		{PackageUnresolved, cause.Dependency, re(`unresolved dependency: (?P<name>[^\s:,]+)`)},
		{SubmitLacksClass, cause.Dependency, re(`(?:ClassNotFoundException|NoClassDefFoundError): (?:Class )?(?P<name>\S+)`)},
		{CredentialsUnaccepted, cause.Credentials, re(`(?P<said>(?:401|Unauthorized)[^\n]*)`)},
		{APIServerUnreachable, cause.Network,
			re(`(?P<said>(?:Connection refused|connect timed out|Connect timed out|Connection timed out|No route to host)[^\n]*)`)},
	}
}
