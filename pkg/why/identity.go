package why

import (
	"fmt"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// cloudIdentity is how a cloud binds an identity to a service account.
type cloudIdentity struct {
	annotation string         // of the service account
	acts       *regexp.Regexp // who acted, in a refusal; a second group: the node that it is the identity of
	name       *regexp.Regexp // the comparable part of the annotation's value
	next       string         // where another identity acted than the annotation names
}

// Annotations: docs of Amazon EKS (IAM roles for service accounts) and of Google Kubernetes Engine (Workload Identity). A session of a
// node's role is named after the instance.
var cloudIdentities = []cloudIdentity{ //nolint:gochecknoglobals // regular expressions, never changed
	{"eks.amazonaws.com/role-arn", regexp.MustCompile(`:assumed-role/([\w+=,.@-]+)/(i-[0-9a-f]{8,17}\b)?`), regexp.MustCompile(`[^/]+$`),
		"set fs.s3a.aws.credentials.provider to WebIdentityTokenCredentialsProvider, and check that the EKS webhook gave the pod " +
			"AWS_WEB_IDENTITY_TOKEN_FILE"},
	{"iam.gke.io/gcp-service-account", regexp.MustCompile(`\b([\w.-]+@[\w.-]+\.gserviceaccount\.com)\b()`), regexp.MustCompile(`.+`),
		"check that the node pool has the GKE metadata server, and that the Google service account allows this service account " +
			"(roles/iam.workloadIdentityUser)"},
}

// actedAs compares the identity that a refusal names with the one that the service account of the pod names.
func actedAs(v *mechanism.View, c *cause.Cause) {
	if c.Class != cause.Credentials {
		return
	}
	account := accountOf(v, c)
	if account == nil {
		return
	}
	ref := snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: account.Namespace, Name: account.Name, UID: string(account.UID)}
	text := said(c)
	for _, cloud := range cloudIdentities {
		m := cloud.acts.FindStringSubmatch(text)
		named := cloud.name.FindString(account.Annotations[cloud.annotation])
		if named != "" {
			c.Evidence = append(c.Evidence, cause.Proof{Object: ref, Field: "metadata.annotations[" + cloud.annotation + "]",
				Value: account.Annotations[cloud.annotation], Beside: m == nil})
		}
		switch {
		case m == nil || m[1] == named:
		case named != "":
			c.Message += fmt.Sprintf("; the request came from %s%s, not from %s, which service account %s names", m[1], ofNode(m[2]), named,
				account.Name)
			c.Next = append([]command.Command{command.Do("%s", cloud.next)}, c.Next...)
		case m[2] != "":
			c.Message += fmt.Sprintf("; %s is the role of node %s, because service account %s names no role", m[1], m[2], account.Name)
			c.Next = append([]command.Command{command.Do("bind a role to service account %s with annotation %s, or with EKS Pod Identity",
				account.Name, cloud.annotation)}, c.Next...)
		}
	}
}

func ofNode(instance string) string {
	if instance == "" {
		return ""
	}
	return " (the role of node " + instance + ")"
}

// accountOf is the service account of the pod that a cause is about; nil: it was not seen.
func accountOf(v *mechanism.View, c *cause.Cause) *corev1.ServiceAccount {
	p := subjectPod(v, c)
	if p == nil {
		return nil
	}
	for i := range v.ServiceAccounts {
		if a := &v.ServiceAccounts[i]; a.Namespace == p.Namespace && a.Name == strings.TrimSpace(p.Spec.ServiceAccountName) {
			return a
		}
	}
	return nil
}
