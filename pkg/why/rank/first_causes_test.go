package rank

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

func TestCrashOfOneExecutorComesBeforeBrokenConnections(t *testing.T) {
	at := time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC)
	crash := alone(cause.Cause{Class: cause.Dependency, Role: cause.ExecutorRole, Trust: cause.ByExecutorLog, At: at,
		Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.JVMCrashed{Signal: "SIGSEGV (0xb)", Where: "libx.so f()"}}}})
	for _, row := range []struct {
		says  string
		after time.Duration
		want  bool
	}{
		{"Network init call failed: Socket recv error, code: 104", 4 * time.Second, true},
		{"Connection reset by peer", time.Minute, true},
		{"Connection reset by peer", -time.Minute, false},
		{"Connection reset by peer", time.Hour, false},
		{"expected 24 partitions, got 23", 4 * time.Second, false},
	} {
		missed := alone(cause.Cause{Class: cause.CodeFailed, Role: cause.DriverRole, Trust: cause.ByDriverLog, At: at.Add(row.after),
			Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.CodeRaised{}, Root: logs.Throwable{Class: "a.B", Message: row.says}}}})
		all := crashedFirst(nil, []Answer{missed, crash})
		require.Equal(t, row.want, all[0].Effect, row.says)
		require.Equal(t, row.want, len(all[1].Clauses) == 2, row.says)
	}
}
