package mechanism

import (
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// RefusalKind is what refused, as far as its words tell.
type RefusalKind string

// The kinds, and the groups of what was said.
const (
	EtcdFull              RefusalKind = "etcd-full"             // the database of the cluster takes no writes
	PodSecurityRefuses    RefusalKind = "pod-security"          // profile, violations
	QuotaExceeded         RefusalKind = "quota-exceeded"        // quota, amounts
	QuotaExceededUntold   RefusalKind = "quota-exceeded-untold" // quota; the amounts were cut off
	QuotaCountsUnset      RefusalKind = "quota-counts-unset"    // quota, "must specify …"
	WebhookDenies         RefusalKind = "webhook-denies"        // webhook, its words
	WebhookUncalled       RefusalKind = "webhook-uncalled"      // webhook, why
	AccountMissing        RefusalKind = "account-missing"       // account, words
	PriorityClassMissing  RefusalKind = "priority-class-missing"
	FinalizersForbidden   RefusalKind = "finalizers-forbidden"
	NotPermitted          RefusalKind = "not-permitted"   // user, verb, resource, namespace
	LimitRangeRefuses     RefusalKind = "limit-range"     // its words
	Forbidden             RefusalKind = "forbidden"       // the words behind it
	Invalid               RefusalKind = "invalid"         // name, words
	LeftOver              RefusalKind = "left-over"       // name of what already exists
	HostUnresolved        RefusalKind = "host-unresolved" // name
	PackageUnresolved     RefusalKind = "package-unresolved"
	SubmitLacksClass      RefusalKind = "submit-lacks-class"
	CredentialsUnaccepted RefusalKind = "credentials-unaccepted"
	APIServerUnreachable  RefusalKind = "unreachable" // or another server: the words name it
)

// Refusal is why a submission failed, in words of the API server or of spark-submit that are known.
type Refusal struct {
	Kind  RefusalKind
	Class cause.Class
	// Said is what matched, and behind it its groups, as the kinds list them.
	Said []string
	// OfWebUI says that the Service or Ingress of the driver's web UI was refused, not the driver.
	OfWebUI bool
	Topics  cause.Topics // of what was refused: quotas, LimitRanges and policies name the resource
}

// isName matches what can be a name, rather than words.
var isName = regexp.MustCompile(`^[\w./:@-]{1,253}$`)

// Key is the same for submissions that failed for one reason: it holds the name of what refused, and no numbers.
func (r *Refusal) Key() string {
	if len(r.Said) > 1 && isName.MatchString(r.Said[1]) {
		return string(r.Kind) + " " + r.Said[1]
	}
	return string(r.Kind)
}

// Refused reads what spark-submit printed, or the API server answered.
func (m *Messages) Refused(text string) (Refusal, bool) {
	text = FirstAnswer(text)
	for _, r := range m.refusals {
		if said := r.text.FindStringSubmatch(text); said != nil {
			return Refusal{Kind: r.kind, Class: r.class, Said: said, Topics: ofMemory(strings.Contains(said[0], "memory")),
				OfWebUI: strings.HasPrefix(text, ofWebUI) || strings.HasPrefix(text, ofWebUIBefore)}, true
		}
	}
	return Refusal{}, false
}

// refusal is one way in which a submission fails: what the text contains, and what that means.
type refusal struct {
	kind  RefusalKind
	class cause.Class
	text  *regexp.Regexp
}

// refusals are in order: the API server's own words before those of spark-submit around them. Sources: kubernetes
// plugin/pkg/admission/{resourcequota,serviceaccount,podpriority,limitranger},
// staging/src/k8s.io/{pod-security-admission,apiserver}@v1.36.3.
func refusals() []refusal {
	re := regexp.MustCompile
	return []refusal{
		// api/v3rpc/rpctypes/error.go of etcd-io/etcd@05dccdc, ErrGRPCNoSpace, which the API server hands on
		{EtcdFull, cause.Configuration, re(`etcdserver: mvcc: database space exceeded`)},
		{PodSecurityRefuses, cause.Submission, re(`violates PodSecurity "([^"]+)": (?s:(.+))`)},
		{QuotaExceeded, cause.Quota, re(`exceeded quota: ([^,]+), (requested: .+?, used: .+?, limited: \S+)`)},
		{QuotaExceededUntold, cause.Quota, re(`exceeded quota: ([^,\s]+)`)},
		{QuotaCountsUnset, cause.Quota, re(`failed quota: ([^:]+): (must specify \S+)`)},
		{WebhookDenies, cause.Submission, re(`admission webhook "([^"]+)" denied the request: ?(?s:(.+))`)},
		{WebhookUncalled, cause.Submission, re(`failed calling webhook "([^"]+)": (?:failed to call webhook: )?(?:Post "[^"\s]+": )?(?s:(.+))`)},
		{AccountMissing, cause.Configuration, re(`error looking up service account (\S+?): (?s:(.+))`)},
		{PriorityClassMissing, cause.Configuration, re(`no PriorityClass with name (\S+) was found`)},
		// plugin/pkg/admission/gc/gc_admission.go@v1.36.3, OwnerReferencesPermissionEnforcement: on in OpenShift
		{FinalizersForbidden, cause.Credentials, re(`cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on`)},
		{NotPermitted, cause.Credentials,
			re(`[Uu]ser "([^"]+)" cannot (\w+) resource "([^"]+)"(?s:.*?)in the namespace "([^"]+)"`)},
		{LimitRangeRefuses, cause.Submission,
			re(`((?:maximum|minimum) \S+ usage per (?:Container|Pod) is (?s:.+?))(?:\]?$|\]?\. Received)`)},
		{Forbidden, cause.Submission, re(`is forbidden: (?s:(.+?))(?:$|\. Received)`)},
		{Invalid, cause.Configuration, re(`(?:[Pp]od|Service|ConfigMap) "([^"]+)" is invalid: (?s:(.+?))(?:$|\. Received)`)},
		{LeftOver, cause.Submission, re(`"([^"]+)" already exists`)},
		{HostUnresolved, cause.Network, re(`UnknownHostException: ([\w.-]+)`)},
		{PackageUnresolved, cause.Dependency, re(`unresolved dependency: ([^\s:,]+)`)},
		{SubmitLacksClass, cause.Dependency, re(`(?:ClassNotFoundException|NoClassDefFoundError): (?:Class )?(\S+)`)},
		{CredentialsUnaccepted, cause.Credentials, re(`(?:401|Unauthorized)[^\n]*`)},
		{APIServerUnreachable, cause.Network,
			re(`(?:Connection refused|connect timed out|Connect timed out|Connection timed out|No route to host)[^\n]*`)},
	}
}
