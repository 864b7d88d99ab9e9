package mechanism_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestPullSecretThatIsNotThere: the kubelet says which ones it did not find. With one that it found, or that is there, the registry refused
// what that holds.
func TestPullSecretThatIsNotThere(t *testing.T) {
	app := application("mode: cluster, imagePullSecrets: [regcred]", "applicationState: {state: SUBMITTED}")
	waits := func(secrets, said string) string {
		return pod("etl-driver", "driver", "nodeName: n1, serviceAccountName: spark, imagePullSecrets: ["+secrets+"], "+
			"containers: [{name: spark-kubernetes-driver, image: \"r.example.net/a:1\"}]",
			`phase: Pending, containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason: ImagePullBackOff, message: "`+
				said+`"}}}]`)
	}
	event := func(reason, message, at string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Event\nmetadata: {namespace: jobs, name: %s}\ntype: Warning\nreason: %s\n"+
			"involvedObject: {kind: Pod, namespace: jobs, name: etl-driver}\nlastTimestamp: '2026-11-23T%sZ'\nmessage: %q",
			reason, reason, at, message)
	}
	gone := event("FailedToRetrieveImagePullSecret",
		"Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.", "11:50:00")
	failed := func(at string) string {
		return event("Failed", "Failed to pull image \"r.example.net/a:1\": pull access denied", at)
	}
	secret := func(name string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata: {name: " + name + ", namespace: jobs}\nkeys: [.dockerconfigjson]"
	}
	const one, denied = "{name: regcred}", "pull access denied"
	for name, row := range map[string]struct {
		docs        []string
		want, known []string
		account     string
	}{
		"gone":               {[]string{app, waits(one, denied), gone, failed("11:49:00")}, []string{"regcred"}, nil, ""},
		"gone, another is":   {[]string{app, waits(one, denied), gone, secret("regcreds")}, []string{"regcred"}, []string{"regcreds"}, ""},
		"it is there":        {[]string{app, waits(one, denied), gone, secret("regcred")}, nil, nil, ""},
		"one of two is gone": {[]string{app, waits("{name: regcred}, {name: other}", denied), gone}, nil, nil, ""},
		"found since": {[]string{app, waits(one, denied), gone, failed("11:59:00"),
			event("Pulling", "Pulling image", "12:05:00")}, nil, nil, ""},
		"no event":    {[]string{app, waits(one, denied), failed("11:49:00")}, nil, nil, ""},
		"not refused": {[]string{app, waits(one, "dial tcp: i/o timeout"), gone}, nil, nil, ""},
		"named by the account": {[]string{application("mode: cluster", "applicationState: {state: SUBMITTED}"), waits(one, denied), gone,
			"apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: spark, namespace: jobs}\nimagePullSecrets: [{name: regcred}]"},
			[]string{"regcred"}, nil, "spark"},
	} {
		var got *mechanism.ImagePull
		for _, c := range mechanism.Causes(given(t, row.docs...)) {
			if d, is := c.Detail.(mechanism.ImagePull); is {
				got = &d
			}
		}
		require.NotNil(t, got, name)
		require.Equal(t, row.want, got.SecretsGone, name)
		require.Equal(t, row.known, got.Known, name)
		require.Equal(t, row.account, got.SecretsOf, name)
	}
}
