package command

import "strings"

// Rights are what an administrator gives a user who may not read or write enough.
type Rights struct {
	For        string   // the purpose as a flag of rbac: ForWhy or ForFix; empty: a scan
	Namespaces []string // where; none: everywhere, with the names that the cluster has
	User       string   // as the API server knows it; empty: unknown, so that the roles are bound to none
}

// The purposes beside a scan.
const (
	ForWhy = "--for-why"
	ForFix = "--for-fix"
)

// Administrator begins what an administrator types.
const Administrator = "an administrator applies: "

// rbac begins the commands that only an administrator can use.
const rbac = "kubectl sparkdoctor rbac "

// Line prints the roles and applies them.
func (r Rights) Line() string {
	words := []string{strings.TrimSpace(rbac)}
	if r.For != "" {
		words = append(words, r.For)
	}
	if len(r.Namespaces) == 0 {
		words = append(words, "--discover")
	} else {
		words = append(words, "--job-namespaces", Quoted(strings.Join(r.Namespaces, ",")))
	}
	if r.User != "" {
		words = append(words, "--bind", Quoted(subject(r.User)), "--name", Quoted(r.name()))
	}
	return strings.Join(words, " ") + " | kubectl apply -f -"
}

// name is that of roles which are for this user and purpose only: of others, kubectl apply would replace the rules and the subjects. A name
// of RBAC is a segment of a path (pkg/apis/rbac/validation/validation.go of k8s.io/kubernetes), which "/" and "%" cannot be in.
func (r Rights) name() string {
	user := strings.NewReplacer("/", "-", "%", "-").Replace(strings.TrimPrefix(r.User, "system:serviceaccount:"))
	return "sparkdoctor" + strings.TrimPrefix(r.For, "--for") + ":" + user
}

// subject is a user as --bind takes it. How service accounts are named:
// kubernetes.io/docs/reference/access-authn-authz/authentication (system:serviceaccount:(NAMESPACE):(SERVICEACCOUNT)).
func subject(user string) string {
	if account, is := strings.CutPrefix(user, "system:serviceaccount:"); is {
		return "serviceaccount=" + account
	}
	return "user=" + user
}

// administrators are the flags for a command of an administrator, who is not the user that asked, and whose namespaces are in the command.
func (a Asked) administrators() Asked {
	return Asked{Kubeconfig: a.Kubeconfig, Context: a.Context, Cluster: a.Cluster}
}
