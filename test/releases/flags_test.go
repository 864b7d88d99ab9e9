package releases

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestFlagDefaults starts both programs without a flag that says what is asked.
func TestFlagDefaults(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		if r.legacy() {
			return
		}
		image := "kubeflow/spark-operator:" + r.Version.String()
		run := func(name string) snapshot.Deployment {
			return snapshot.Deployment{
				Object:     snapshot.Object{Ref: snapshot.Ref{Namespace: "own", Name: "x-" + name}},
				Containers: []snapshot.Container{{Image: image, Args: []string{name, "start", "--leader-election=true"}}},
			}
		}
		found := operator.Find([]snapshot.Deployment{run("controller"), run("webhook")})
		require.Len(t, found, 1)
		in := &found[0]
		lease := in.ControllerLease()
		require.Equal(t, lease.Name, in.WebhookLease())
		for _, file := range []string{controllerStart, webhookStart} {
			r.has(t, file, flag("leader-election-lock-name", fmt.Sprintf("%q", lease.Name)),
				flag("leader-election-lock-namespace", fmt.Sprintf("%q", lease.Namespace)))
		}
		r.has(t, webhookStart, flag("webhook-port", fmt.Sprint(in.WebhookPort())),
			flag("mutating-webhook-name", fmt.Sprintf("%q", in.Registration(true).Name)),
			flag("validating-webhook-name", fmt.Sprintf("%q", in.Registration(false).Name)))
		limit, limited := in.TrackedExecutors()
		require.Equal(t, limited, r.contains(t, controllerStart, flag("max-tracked-executor-per-app", fmt.Sprint(limit))))
		grace := in.DriverGrace()
		require.Equal(t, grace > 0, r.contains(t, controllerStart,
			flag("driver-pod-creation-grace-period", fmt.Sprintf("%d*time.Second", grace/time.Second))))
	})
}

// flag is how a flag and its default are written.
func flag(name, value string) string { return fmt.Sprintf("%q, %s,", name, value) }
