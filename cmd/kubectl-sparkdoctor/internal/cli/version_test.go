package cli

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

func TestToolOf(t *testing.T) {
	stamped := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}}
	pseudo := debug.Module{Version: "v0.0.0-20261121031415-0123456789ab+dirty"}
	for name, c := range map[string]struct {
		linked string
		info   *debug.BuildInfo
		want   report.Tool
	}{
		"release build":  {"v0.1.0", &debug.BuildInfo{Main: pseudo, Settings: stamped}, report.Tool{Version: "v0.1.0", Commit: "0123456789ab"}},
		"go build":       {"dev", &debug.BuildInfo{Main: pseudo, Settings: stamped}, report.Tool{Version: "dev", Commit: "0123456789ab"}},
		"go install @":   {"dev", &debug.BuildInfo{Main: debug.Module{Version: "v0.1.0", Sum: "h1:x"}}, report.Tool{Version: "v0.1.0", Commit: "unknown"}},
		"no information": {"dev", nil, report.Tool{Version: "dev", Commit: "unknown"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, toolOf(c.linked, c.info)) })
	}
}
