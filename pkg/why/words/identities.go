package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// trustRefused is about a role that AWS does not let a service account assume.
func trustRefused(d *mechanism.TrustRefused) Phrase {
	role, its := "the pod's IAM role", "the trust policy of the role"
	if d.Role != "" {
		role, its = "IAM role "+d.Role, fmt.Sprintf("the trust policy of %s, in AWS account %s,", d.Role, d.AWSAccount)
	}
	next := fmt.Sprintf("let %s accept sub %s", its, d.User())
	if d.Audience != "" {
		next += " and aud " + d.Audience
	}
	do := command.Do("%s of this cluster's OIDC provider", next)
	if d.Role != "" {
		do = do.With("aws iam get-role --role-name %s --query Role.AssumeRolePolicyDocument", d.Role)
	}
	return Phrase{fmt.Sprintf("AWS refused sts:AssumeRoleWithWebIdentity: the trust policy of %s does not accept service account %s, or "+
		"there is no such role", role, d.Account), []command.Command{do}}
}

// accountDenied is about a driver whose service account may not run executors.
func (t Terms) accountDenied(d *mechanism.AccountDenied) Phrase {
	says := fmt.Sprintf("%s runs as %s, which has no right to %s %s", t.of("the driver"), d.User(), d.Verb, d.Resource)
	if d.Unset != "" {
		says = fmt.Sprintf("%s is not set, so %s", d.Unset, says)
	}
	if d.Allowed {
		return Phrase{says, []command.Command{command.Do("the roles as they are now allow it that: run it again")}}
	}
	if d.Unset != "" {
		return Phrase{says, t.nameAccount(d)}
	}
	return Phrase{says, t.allowAccount(d)}
}

const mayCreatePods = "kubectl auth can-i create pods -n %s --as=%s"

// nameAccount is how a driver gets an account that may run executors, where the spec names none. The chart makes one in each of
// spark.jobNamespaces (charts/spark-operator-chart/templates/spark/serviceaccount.yaml@v2.5.2); Spark's own documentation binds ClusterRole
// edit (docs/running-on-kubernetes.md@v3.5.5, RBAC).
func (t Terms) nameAccount(d *mechanism.AccountDenied) []command.Command {
	switch {
	case d.Ignored != "" && len(d.Able) == 0:
		return []command.Command{t.do("set {spec.driver.serviceAccount} to %s, if that may create pods: %s, which names it, is not read for the "+
			"server", d.Ignored, mechanism.DriverAccountSetting).With(mayCreatePods, d.Namespace, snapshot.UserPrefix+d.Namespace+":"+d.Ignored)}
	case len(d.Able) > 0:
		return []command.Command{t.do("set {spec.driver.serviceAccount} to %s, which may run executors", either(d.Able))}
	case len(d.Unjudged) > 0:
		name := d.Unjudged[0]
		return []command.Command{t.do("set {spec.driver.serviceAccount} to an account that may create pods (of %s no roles were seen): see "+
			"whether %s may", strings.Join(d.Unjudged, ", "), name).
			With(mayCreatePods, d.Namespace, snapshot.UserPrefix+d.Namespace+":"+name)}
	}
	return []command.Command{
		t.do("name a service account that may create pods in {spec.driver.serviceAccount}: that of the operator's chart, or a new one").
			With("kubectl -n %s create serviceaccount spark", d.Namespace),
		command.Do("let a new one run executors").With("kubectl -n %s create rolebinding spark --clusterrole=edit --serviceaccount=%s",
			d.Namespace, d.Namespace+":spark"),
	}
}

// allowAccount is how the account that the spec names may run executors.
func (t Terms) allowAccount(d *mechanism.AccountDenied) []command.Command {
	switch {
	case len(d.Bound) > 0:
		lacks := make([]string, 0, len(d.Lacks))
		for _, one := range d.Lacks {
			lacks = append(lacks, one.Verb+" on "+one.Resource)
		}
		return []command.Command{command.Do("add to Role %s, which is bound to it: %s", d.Bound[0].Name, strings.Join(lacks, ", ")).
			With("kubectl -n %s edit role %s", d.Namespace, d.Bound[0].Name)}
	case len(d.Able) > 0:
		able := d.Able[0]
		flag := " --role="
		if able.RoleKind == "ClusterRole" {
			flag = " --clusterrole="
		}
		return []command.Command{t.do("bind %s %s to it, as to %s, or set {spec.driver.serviceAccount} to %s", able.RoleKind, able.RoleName,
			able.Account, able.Account).With("kubectl -n %s create rolebinding %s"+flag+"%s --serviceaccount=%s", d.Namespace,
			d.Name+"-runs-executors", able.RoleName, d.Namespace+":"+d.Name)}
	}
	return runsExecutors("give it a Role for all that Spark does for executors", d.Account)
}

// runsExecutors is a Role with the rules of the operator's own for drivers (charts/spark-operator-chart/templates/spark/rbac.yaml@v2.5.2).
func runsExecutors(text string, account snapshot.Account) []command.Command {
	return command.Grant(text, account.Name+"-runs-executors", account, command.Rule{Namespace: account.Namespace,
		Resource: "pods,services,configmaps,persistentvolumeclaims",
		Verbs:    []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}})
}

func either(list []mechanism.Able) string {
	names := make([]string, 0, len(list))
	for i := range list {
		names = append(names, list[i].Account)
	}
	return strings.Join(names, " or ")
}

// javaMisfit is about what does not run on the Java of an image.
func javaMisfit(d *mechanism.JavaMisfit) Phrase {
	instead := ""
	if d.Image != "" {
		instead = " instead of " + d.Image
	}
	if d.For > 0 {
		return Phrase{fmt.Sprintf("class %s was compiled for Java %d, and the image has Java %s", d.Class, d.For, d.Java),
			[]command.Command{command.Do("use an image with Java %d%s, or compile for Java %d", d.For, instead, d.Release)}}
	}
	use := "Java 17, or with Java 21 for Spark 4"
	if d.Spark4 {
		use = "Java 17 or 21"
	}
	return Phrase{fmt.Sprintf("the image has Java %s, which is too new for the Hadoop libraries: Java 23 and newer refuse "+
		"Subject.getSubject, which they call", d.Java), []command.Command{command.Do("use an image with %s%s", use, instead)}}
}
