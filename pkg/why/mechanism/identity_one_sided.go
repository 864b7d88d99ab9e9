package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// IdentityOneSided is a store that refuses the executors, which lack the identity of the cloud that the driver has: their service account
// names no role and the driver's does, or their pods lack the label by which the cloud's webhook gives a pod its token. A role with too few
// rights looks alike, of which both have the same; so do keys that the spec itself gives to both, and a refusal that names who asked.
type IdentityOneSided struct {
	Account    string // service account of the executors
	Driver     string // that of the driver, where it is another one, and names the role; else empty
	Annotation string // by which it does
	Role       string // its value
	Label      string // that the driver's pod has, and an executor's lacks; else empty
	Value      string // of the label
}

// Mechanism names it.
func (IdentityOneSided) Mechanism() cause.ID { return "identity-one-sided" }

// useAzure is the label of pods which the webhook of Azure Workload Identity changes (docs/book/src/topics/service-account-labels-and-
// annotations.md of Azure/azure-workload-identity).
const useAzure = "azure.workload.identity/use"

// boundBy are the annotations by which a cloud binds an identity to a service account, by the signatures of what is refused without one.
func boundBy(signature string) []string {
	switch signature {
	case "s3-forbidden", "irsa-no-provider", "aws-no-credentials":
		return []string{AmazonRole}
	case "gcs-denied", "google-denied", "gcs-anonymous":
		return []string{GoogleAccount}
	case "abfs-permission", "abfs-auth-failed":
		return []string{snapshot.AzureClientAnnotation}
	case tokenMissing:
		return []string{AmazonRole, snapshot.AzureClientAnnotation}
	default:
		return nil
	}
}

// tokenMissing is the signature of a client that does not find the token that a webhook of the cloud mounts.
const tokenMissing = "identity-token-missing"

// HasNoIdentity compares the identities of driver and executors, where a store refuses an executor.
func HasNoIdentity(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	role, pod := actingPod(v, about, &failed)
	if !is || role != cause.ExecutorRole || failed.OfMetastore || len(failed.Actors) > 0 || v.givesKeys() {
		return cause.Cause{}, false
	}
	own := accountNamed(v, accountOf(v, role, pod))
	drivers := accountNamed(v, accountOf(v, cause.DriverRole, v.Driver))
	if own == nil || drivers == nil {
		return cause.Cause{}, false
	}
	out := cause.Cause{Class: cause.Credentials, Certainty: check.Likely, Role: role, Subject: v.AppRef(), At: about.At, Trust: cause.BySpec}
	if known.Signature.ID == tokenMissing {
		out.Certainty = check.Proven // without the token nobody asked in another's name
	}
	for _, annotation := range boundBy(known.Signature.ID) {
		d := IdentityOneSided{Account: own.Name, Annotation: annotation, Role: drivers.Annotations[annotation]}
		switch {
		case d.Role == "":
			continue
		case own.Annotations[annotation] == "":
			d.Driver = drivers.Name
			out.Subject = accountRef(own)
			out.Evidence = []cause.Proof{{Object: accountRef(own), Field: "metadata.annotations", Value: "without " + annotation},
				{Object: accountRef(drivers), Field: "metadata.annotations[" + annotation + "]", Value: d.Role}}
		case annotation == snapshot.AzureClientAnnotation && lacksLabel(v, pod, useAzure):
			d.Label, d.Value = useAzure, v.Driver.Labels[useAzure]
			out.Subject = Ref(pod)
			out.Evidence = []cause.Proof{{Object: Ref(pod), Field: "metadata.labels", Value: "without " + useAzure},
				{Object: Ref(v.Driver), Field: "metadata.labels[" + useAzure + "]", Value: d.Value}}
		default:
			continue
		}
		out.Detail = d
		return out, true
	}
	return cause.Cause{}, false
}

// lacksLabel reports whether an executor was seen without a label that the driver's pod has.
func lacksLabel(v *View, pod *corev1.Pod, label string) bool {
	return pod != nil && v.Driver != nil && v.Driver.Labels[label] != "" && pod.Labels[label] == ""
}

// givesKeys reports whether the spec names who is asked for credentials, and none of these reads the token of a service account.
func (v *View) givesKeys() bool {
	return slices.ContainsFunc([]string{v.Spec.HadoopConf[S3AProviders], v.Spec.Conf["spark.hadoop."+S3AProviders]}, func(list string) bool {
		return list != "" && !readToken(list)
	})
}

func accountRef(a *corev1.ServiceAccount) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: a.Namespace, Name: a.Name, UID: string(a.UID)}
}
