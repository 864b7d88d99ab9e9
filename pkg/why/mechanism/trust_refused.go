package mechanism

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TrustRefused is an IAM role that AWS STS does not let a service account assume by its token: by the trust policy of the role, whose
// conditions name the subject and the audience of the token (docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html),
// or since there is no such role, of which STS says the same (repost.aws/knowledge-center/iam-idp-access-error). A role that another role
// may not assume (sts:AssumeRole) looks alike, and has no service account for its subject.
type TrustRefused struct {
	snapshot.Account // of the pod

	Role, AWSAccount string // of IAM; empty: what names it was not seen
	Audience         string // of the token; empty: the pod, or where it gets a token, was not seen
}

// Mechanism names it.
func (TrustRefused) Mechanism() cause.ID { return "trust-refused" }

// RefusedTrust says which role was not to be assumed, and by whom.
func RefusedTrust(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "irsa-denied" || failed.OfMetastore || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	role, pod := actingPod(v, about, &failed)
	name := accountOf(v, role, pod)
	if name == "" {
		return cause.Cause{}, false
	}
	d := TrustRefused{Account: snapshot.Account{Namespace: v.Subject.Namespace, Name: name}, Audience: audience(pod)}
	out := cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: role, Subject: about.Subject, At: about.At, Trust: about.Trust,
		Topics: about.Topics}
	account, said := accountNamed(v, name), known.Groups["role"]
	annotated := ""
	if account != nil {
		annotated = account.Annotations[AmazonRole]
	}
	d.AWSAccount, d.Role = roleIn(cmp.Or(said, annotated))
	if said == "" && d.Role != "" {
		ref := snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: account.Namespace, Name: name, UID: string(account.UID)}
		out.Evidence = []cause.Proof{{Object: ref, Field: "metadata.annotations[" + AmazonRole + "]", Value: annotated}}
	}
	out.Detail = d
	return out, true
}

// roleIn are the AWS account and the name of a role, without its path: "arn:aws:iam::111122223333:role/team/etl"
// (docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html).
func roleIn(arn string) (account, name string) {
	parts := strings.SplitN(strings.TrimSpace(arn), ":", 6)
	if len(parts) != 6 || !strings.HasPrefix(parts[5], "role/") {
		return "", ""
	}
	return parts[4], parts[5][strings.LastIndexByte(parts[5], '/')+1:]
}

// audience is whom the token is for that EKS gives a pod: its webhook projects it by this name (aws/amazon-eks-pod-identity-webhook
// pkg/handler/handler.go@9dafe2b).
func audience(pod *corev1.Pod) string {
	if pod == nil {
		return ""
	}
	for i := range pod.Spec.Volumes {
		v := &pod.Spec.Volumes[i]
		if v.Name != "aws-iam-token" || v.Projected == nil {
			continue
		}
		for _, s := range v.Projected.Sources {
			if s.ServiceAccountToken != nil {
				return s.ServiceAccountToken.Audience
			}
		}
	}
	return ""
}
