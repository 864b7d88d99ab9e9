package mechanism

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestIdentitiesThatAzureRefused: only what ABFS gives to its providers of tokens is who asked.
func TestIdentitiesThatAzureRefused(t *testing.T) {
	const in = "org.apache.hadoop.fs.azurebfs.oauth2."
	about := refused("abfs-permission", map[string]string{"account": "lake", "container": "gold"})
	with := func(changes map[string]string) *View {
		conf := map[string]string{azureAuth: "OAuth", azureProvider: in + "WorkloadIdentityTokenProvider", azureClient: "one"}
		maps.Copy(conf, changes)
		v := actingAs("spark", app.Spec{HadoopConf: conf}, "spark")
		v.ServiceAccounts[0].Annotations = map[string]string{snapshot.AzureClientAnnotation: "one"}
		return v
	}
	for name, v := range map[string]*View{
		"a key":               with(map[string]string{azureAuth: "SharedKey"}),
		"a key for it":        with(map[string]string{azureAuth + ".lake.dfs.core.windows.net": "SharedKey"}),
		"a custom provider":   with(map[string]string{azureAuth: "Custom", azureProvider: "com.example.Tokens"}),
		"a user's password":   with(map[string]string{azureProvider: in + "UserPasswordTokenProvider"}),
		"no client ID":        with(map[string]string{azureClient: ""}),
		"in an image, unseen": actingAs("spark", app.Spec{}, "spark"),
	} {
		_, is := AzureActor(v, about)
		require.False(t, is, name)
	}
	_, is := AzureActor(with(nil), refused("abfs-account-key", nil))
	require.False(t, is, "another refusal")

	for name, row := range map[string]struct {
		v    *View
		want AzureIdentity
	}{
		"of the account": {with(nil), AzureIdentity{Role: "driver", Storage: "lake", Client: "one", Account: "spark"}},
		"for this storage": {with(map[string]string{azureClient + ".lake.dfs.core.windows.net": "two"}),
			AzureIdentity{Role: "driver", Storage: "lake", Client: "two"}},
		"for another storage": {with(map[string]string{azureClient + ".lake2.dfs.core.windows.net": "two"}),
			AzureIdentity{Role: "driver", Storage: "lake", Client: "one", Account: "spark"}},
		"of a service principal": {with(map[string]string{azureProvider: in + "ClientCredsTokenProvider", azureClient: "three"}),
			AzureIdentity{Role: "driver", Storage: "lake", Client: "three"}},
	} {
		c, is := AzureActor(row.v, about)
		require.True(t, is, name)
		require.Equal(t, row.want, c.Detail, name)
	}
}
