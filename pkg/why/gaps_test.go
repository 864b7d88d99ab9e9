package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestALogThatIsNotThere: files without it, a log that is empty, and one that may not be read are three things, of which only the last
// needs an administrator.
func TestALogThatIsNotThere(t *testing.T) {
	const pod = "clicks-to-parquet-driver"
	forbidden := []snapshot.Unseen{{Verb: "get", Resource: snapshot.PodLogs, Namespace: "clickstream", Name: pod, Reason: snapshot.Forbidden,
		Obstacle: snapshot.Refused}}
	for want, prepare := range map[string]func(*app.Evidence){
		"the driver's log: the input does not hold it": func(*app.Evidence) {},
		"the driver's log: it is empty":                func(e *app.Evidence) { e.Partial = func(string) bool { return false } },
		"pods/log " + pod + ": forbidden":              func(e *app.Evidence) { e.Unseen = forbidden },
	} {
		c := numbered(t, "1655")
		e := c.Evidence(c.objects)
		e.Logs = nil
		prepare(e)
		var logs []string
		for _, u := range why.Open(e).Unseen {
			if text := u.What + ": " + u.Reason; u.What == "the driver's log" || u.What == "pods/log "+pod {
				logs = append(logs, text)
				require.Equal(t, u.Reason == snapshot.Forbidden, u.Line != "", "only a refusal needs an administrator")
			}
		}
		require.Equal(t, []string{want}, logs)
		if e.Partial("logs") && len(e.Unseen) == 0 {
			f := why.Open(e)
			require.Equal(t, "kubectl -n clickstream logs "+pod+" -c spark-kubernetes-driver", f.Verdict().Next[0].Line)
		}
	}
}
