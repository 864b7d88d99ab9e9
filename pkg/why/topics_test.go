package why_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// TestTopicsAreWhatIsSaid holds roles and topics of typed causes to what their sentences say. It goes when nothing reads sentences any more.
func TestTopicsAreWhatIsSaid(t *testing.T) {
	typed := 0
	hold := func(name string, e *app.Evidence) {
		for _, c := range slices.Concat(mechanism.Causes(e), mechanism.AtWork(mechanism.Look(e)), logs.Causes(e)) {
			if c.Detail == nil {
				continue
			}
			typed++
			require.Empty(t, c.Message, name)
			text := words.Of(&c).Says
			lower := strings.ToLower(text)
			any := func(in string, parts ...string) bool {
				for _, p := range parts {
					if strings.Contains(in, p) {
						return true
					}
				}
				return false
			}
			want := map[cause.Topics]bool{
				cause.Memory:    any(lower, "memory", "heap", "gc ", "metaspace"),
				cause.OOMKilled: any(text, "OOMKilled"),
				cause.Exit52:    any(text, "exit code 52"),
				cause.TimesOut:  any(lower, "heartbeat", "futures timed out", "broadcast"),
				cause.OwnLimit: any(text, "OOMKilled", "exit code 137", "activeDeadlineSeconds", "exceeds the limit", "exceeds the total limit",
					"exceeds its local", "liveness"),
				cause.OutOfHeap: c.Trust == cause.ByExecutorLog && any(text, "OutOfMemoryError"),
				cause.Unsaid:    any(text, mechanism.Unsaid),
			}
			for topic, is := range want {
				if c.Topics.Has(topic) != is {
					t.Errorf("%s: %s: topic %b is %t, but it says: %s", name, c.Detail.Mechanism(), topic, !is, text)
				}
			}
			if executor := any(c.Subject.Name, "-exec-") || any(text, "xecutor"); (c.Role == cause.ExecutorRole) != executor {
				t.Errorf("%s: %s: role %q, but it says: %s", name, c.Detail.Mechanism(), c.Role, text)
			}
		}
	}
	for _, c := range shown(t) {
		one := decoded(t, c)
		hold(c.ID, one.Evidence(one.objects))
	}
	for name := range answers() {
		hold(name, recording(t, name))
	}
	t.Logf("%d causes are typed", typed)
}
