package cli

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

func TestToolOf(t *testing.T) {
	stamped := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}}
	for name, c := range map[string]struct {
		info *debug.BuildInfo
		want report.Tool
	}{
		"tagged commit": {&debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}, Settings: stamped},
			report.Tool{Version: "v0.1.0", Commit: "0123456789ab"}},
		"other commit": {&debug.BuildInfo{Main: debug.Module{Version: "v0.1.1-0.20261121031415-0123456789ab+dirty"}, Settings: stamped},
			report.Tool{Version: "v0.1.1-0.20261121031415-0123456789ab+dirty", Commit: "0123456789ab"}},
		"go install @": {&debug.BuildInfo{Main: debug.Module{Version: "v0.1.0", Sum: "h1:x"}},
			report.Tool{Version: "v0.1.0", Commit: "unknown"}},
		"without git":    {&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, report.Tool{Version: "dev", Commit: "unknown"}},
		"no information": {nil, report.Tool{Version: "dev", Commit: "unknown"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, toolOf(c.info)) })
	}
}
