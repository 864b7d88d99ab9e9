package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// actedAs says whose identity was refused, and why it was not that of the service account.
func actedAs(c *cause.Cause, d mechanism.ActedAs) Phrase {
	whose, acts, their := "the driver", "acts", "its"
	if d.Role == cause.ExecutorRole {
		whose, acts, their = "the executors", "act", "their"
	}
	as := d.Who
	if d.Node != "" {
		as += ", the role of the node"
	}
	if d.Named == "" {
		return Phrase{fmt.Sprintf("%s %s as %s, since %s service account %s names no role", whose, acts, as, their, d.Account),
			[]command.Command{bindAccount(c.Subject.Namespace, d)}}
	}
	says := fmt.Sprintf("%s %s as %s, and not as %s of service account %s", whose, acts, as, d.Named, d.Account)
	if d.Cloud == mechanism.GoogleAccount {
		return Phrase{says, []command.Command{command.Do("check that the node pool has the GKE metadata server, and that the Google service " +
			"account allows this service account (roles/iam.workloadIdentityUser)")}}
	}
	if d.Setting != (mechanism.Setting{}) {
		says += fmt.Sprintf(" (%s: %s)", mechanism.S3AProviders, shortProviders(d.Providers))
	}
	return Phrase{says, []command.Command{command.Do("%s", readsToken(d))}}
}

// azureIdentity says who asked, and needs the role.
func azureIdentity(d mechanism.AzureIdentity) Phrase {
	whose, storage := "the driver acts", "the storage account"
	if d.Role == cause.ExecutorRole {
		whose = "the executors act"
	}
	if d.Storage != "" {
		storage = "storage account " + d.Storage
	}
	as := "client ID " + d.Client
	if d.Account != "" {
		as += " of service account " + d.Account
	}
	return Phrase{whose + " as " + as, []command.Command{command.Do("assign Storage Blob Data Contributor on %s to %s", storage, as)}}
}

// bindAccount is how to give a service account a role: that of the driver's, where it has one.
func bindAccount(namespace string, d mechanism.ActedAs) command.Command {
	if d.Driver == "" {
		return command.Do("bind a role to service account %s with annotation %s, or with EKS Pod Identity", d.Account, d.Cloud)
	}
	return command.Do("set executor.serviceAccount to %s, or annotate %s and let the role's trust policy allow it", d.Driver, d.Account).
		With("kubectl -n %s annotate serviceaccount %s %s=%s", namespace, d.Account, d.Cloud, d.DriverValue)
}

// readsToken is how S3A comes to read the token of the service account.
func readsToken(d mechanism.ActedAs) string {
	text := "set " + mechanism.S3AProviders + " to " + mechanism.TokenProvider(d.Bundled)
	if d.Setting != (mechanism.Setting{}) {
		text = "set " + d.Setting.String() + " to " + mechanism.TokenProvider(d.Bundled)
	}
	if d.Tokenless {
		text += ", and find out why the EKS webhook did not give the pod AWS_WEB_IDENTITY_TOKEN_FILE"
	}
	return text
}

// shortProviders are the names of classes without their packages.
func shortProviders(list string) string {
	var out []string
	for _, one := range strings.Split(list, ",") {
		out = append(out, withoutPackage(strings.TrimSpace(one)))
	}
	return strings.Join(out, ", ")
}
