package mechanism

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// AccountDenied is the service account of a driver that may not do what Spark does there to run executors. The refusal names the first of
// that only: an account that may not get pods most often may not create them either. What a job asks of the API server for itself, such as
// Secrets, looks alike, and is no matter of executors; so does what another account is refused, such as that of spark-submit.
type AccountDenied struct {
	snapshot.Account // that acted

	Verb, Resource string // as the API server refused them
	Namespace      string // of both
	Unset          string // field of the spec that names no account, so that the pod got default; empty: the spec names it
	Ignored        string // account of a setting that the operator's pod does not follow; empty: there is none
	Able           []Able // other accounts of the namespace that the roles which were seen let run executors, by name
	Bound          []snapshot.Ref
	Lacks          []Right  // what the roles that were seen do not allow it
	Allowed        bool     // they allow what was refused: they were changed since
	Unjudged       []string // accounts for workloads of the namespace, where no roles were seen, by name
}

// Right is what an account may do, or not.
type Right struct{ Verb, Resource string }

// Able is a service account that may run executors, and the binding that lets it.
type Able struct {
	Account  string
	Binding  snapshot.Ref
	RoleKind string
	RoleName string
}

// Mechanism names it.
func (AccountDenied) Mechanism() cause.ID { return "account-denied" }

// DriverAccountSetting names the service account of the driver in cluster mode. That of a SparkConnect server is its template's: the
// operator creates that pod, not spark-submit (mutateServerPod in internal/controller/sparkconnect/reconciler.go@v2.5.2).
const DriverAccountSetting = "spark.kubernetes.authenticate.driver.serviceAccountName"

// DeniedAccount says who names the account that was refused, and which other one may run executors.
func DeniedAccount(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "rbac-denied" || v.Application == nil || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	d := AccountDenied{Verb: known.Groups["verb"], Resource: known.Groups["resource"], Namespace: v.Subject.Namespace}
	m := accountSubject.FindStringSubmatch(known.Groups["user"])
	role, pod := actingPod(v, about, &failed)
	acted := cmp.Or(accountOf(v, role, pod), snapshot.DefaultAccount)
	elsewhere := cmp.Or(known.Groups["namespace"], d.Namespace) != d.Namespace
	if m == nil || elsewhere || m[1] != d.Namespace || m[2] != acted || role != cause.DriverRole || !ofExecutors(d.Resource) {
		return cause.Cause{}, false
	}
	d.Account = snapshot.Account{Namespace: m[1], Name: m[2]}
	if field, named := accountField(v); named == "" && acted == snapshot.DefaultAccount {
		d.Unset = field
	}
	if v.IsConnect() {
		d.Ignored = v.Spec.Conf[DriverAccountSetting]
	}
	out := cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: role, Subject: about.Subject, At: about.At, Trust: about.Trust,
		Topics: about.Topics}
	if d.Unset != "" {
		out.Evidence = append(out.Evidence, cause.Proof{Object: v.AppRef(), Field: d.Unset, Value: "not set", Beside: true})
	}
	d.judge(v)
	for _, able := range d.Able {
		out.Evidence = append(out.Evidence, cause.Proof{Object: able.Binding, Field: "subjects", Value: able.Account, Beside: true})
	}
	out.Detail = d
	return out, true
}

// ofExecutors reports whether Spark itself makes objects of a resource for executors.
func ofExecutors(resource string) bool {
	return slices.Contains([]string{"pods", "configmaps", "services", "persistentvolumeclaims"}, resource)
}

// accountField is the field of the spec that names the account of the driver first, and the name that the spec gives, wherever.
func accountField(v *View) (field, named string) {
	if v.IsConnect() {
		return spark.ServerAccountField, v.Spec.Server.Template.Pod.ServiceAccountName
	}
	d := &v.Spec.Driver
	return "spec.driver.serviceAccount",
		strings.TrimSpace(cmp.Or(d.ServiceAccount, v.Spec.Conf[DriverAccountSetting], d.Template.Pod.ServiceAccountName))
}

// judge reads the roles: who else may run executors, and what the account lacks.
func (d *AccountDenied) judge(v *View) {
	others := slices.DeleteFunc(v.workloadAccounts(), func(name string) bool { return name == d.Name })
	if v.Access == nil {
		d.Unjudged = others
		return
	}
	for _, name := range others {
		other := snapshot.Account{Namespace: d.Namespace, Name: name}
		if len(lacking(v, other)) > 0 {
			continue
		}
		for _, b := range v.Access.BoundTo(other, d.Namespace) {
			if b.Namespace == d.Namespace && names(b, other) {
				d.Able = append(d.Able, Able{Account: name, Binding: b.Ref, RoleKind: b.RoleKind, RoleName: b.RoleName})
				break
			}
		}
	}
	for _, b := range v.Access.BoundTo(d.Account, d.Namespace) {
		if b.Namespace == d.Namespace && b.RoleKind == "Role" && names(b, d.Account) {
			d.Bound = append(d.Bound, snapshot.Ref{APIVersion: b.APIVersion, Kind: b.RoleKind, Namespace: b.Namespace, Name: b.RoleName})
		}
	}
	d.Lacks = lacking(v, d.Account)
	d.Allowed, _ = v.Access.Allows(d.Account, snapshot.Request{Verb: d.Verb, Resource: d.Resource, Namespace: d.Namespace})
	if refused := (Right{d.Verb, d.Resource}); !d.Allowed && !slices.Contains(d.Lacks, refused) {
		d.Lacks = append([]Right{refused}, d.Lacks...)
	}
}

// names reports whether a binding names an account itself, and not all of a namespace.
func names(b *snapshot.RoleBinding, account snapshot.Account) bool {
	return slices.ContainsFunc(b.Subjects, func(g snapshot.Grantee) bool { return !g.Everyone && g.Account == account })
}

// lacking is what the roles that were seen do not let an account do, of all that the driver does.
func lacking(v *View, account snapshot.Account) (out []Right) {
	driver := spark.DriverAccess{SparkVersion: cmp.Or(sparkVersion(v), "3.5")} // the oldest that does all of it is 3.1
	for _, r := range spark.DriverRequests(driver) {
		if allowed, _ := v.Access.Allows(account, r.In(account.Namespace)); !allowed {
			out = append(out, Right{r.Verb, r.Resource})
		}
	}
	return out
}
