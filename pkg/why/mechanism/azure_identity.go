package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// AzureIdentity is the client ID that the spec gives to ABFS, where Azure Storage refused a request: its answer does not name who asked. A
// request with an account key, a SAS token or a provider of another's making looks alike, and has no client ID
// (getTokenProvider in hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/AbfsConfiguration.java, apache/hadoop).
type AzureIdentity struct {
	Role    cause.Role
	Client  string
	Storage string // the account that it was refused at; empty: the answer does not name it
	Account string // service account that names the same client ID; empty: it names none, or another, or was not seen
}

// Mechanism names it.
func (AzureIdentity) Mechanism() cause.ID { return "azure-identity" }

// The settings of ABFS, each of which may end in the host of a storage account.
const (
	azureAuth     = "fs.azure.account.auth.type"
	azureProvider = "fs.azure.account.oauth.provider.type"
	azureClient   = "fs.azure.account.oauth2.client.id"
)

// AzureActor finds the client ID by which a request was made that Azure Storage refused.
func AzureActor(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "abfs-permission" || failed.OfMetastore {
		return cause.Cause{}, false
	}
	host := known.Groups["account"]
	auth, _ := azureSetting(v, azureAuth, host)
	provider, _ := azureSetting(v, azureProvider, host)
	client, at := azureSetting(v, azureClient, host)
	if auth != "OAuth" || !slices.Contains(withClient(), provider) || client == "" {
		return cause.Cause{}, false
	}
	role, pod := actingPod(v, about, &failed)
	d := AzureIdentity{Role: role, Client: client, Storage: host}
	out := cause.Cause{Class: cause.Credentials, Role: role, Subject: v.AppRef(), At: about.At, Trust: cause.BySpec,
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: at.String(), Value: client}}}
	if account := accountNamed(v, accountOf(v, role, pod)); account != nil && account.Annotations[snapshot.AzureClientAnnotation] == client {
		d.Account = account.Name
		out.Evidence = append(out.Evidence, cause.Proof{Object: snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount",
			Namespace: account.Namespace, Name: account.Name, UID: string(account.UID)},
			Field: "metadata.annotations[" + snapshot.AzureClientAnnotation + "]", Value: client})
	}
	out.Detail = d
	return out, true
}

// withClient are the providers of tokens that ABFS gives the client ID to.
func withClient() []string {
	const in = "org.apache.hadoop.fs.azurebfs.oauth2."
	return []string{in + "WorkloadIdentityTokenProvider", in + "ClientCredsTokenProvider", in + "MsiTokenProvider",
		in + "RefreshTokenBasedTokenProvider"}
}

// azureSetting is what the spec sets a key to for a storage account: what names the account counts first. Where no account is known, a
// value for one account tells nothing.
func azureSetting(v *View, key, account string) (value string, at Setting) {
	for _, general := range []bool{false, true} {
		for _, from := range []struct {
			in, prefix string
			conf       map[string]string
		}{{"hadoopConf", "", v.Spec.HadoopConf}, {"sparkConf", "spark.hadoop.", v.Spec.Conf}} {
			for name, value := range from.conf {
				bare, rest, found := strings.Cut(name, key)
				of := account != "" && strings.HasPrefix(rest, "."+account+".")
				if found && bare == from.prefix && (general && rest == "" || !general && of) {
					return strings.TrimSpace(value), Setting{from.in, name}
				}
			}
		}
	}
	return "", Setting{}
}
