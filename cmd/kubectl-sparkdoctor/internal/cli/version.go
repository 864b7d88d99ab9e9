package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// version is set by the release build: -ldflags "-X …/internal/cli.version=v0.1.0".
var version = "dev"

func newVersion(streams genericiooptions.IOStreams) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			t := tool()
			_, err := fmt.Fprintf(streams.Out, "kubectl sparkdoctor %s (commit %s, %s, knows the operator up to %s)\n",
				t.Version, t.Commit, runtime.Version(), operator.Newest())
			return err
		},
	}
}

// tool describes this build.
func tool() report.Tool {
	info, _ := debug.ReadBuildInfo()
	return toolOf(version, info)
}

// toolOf takes the version from the linker, else from the module that "go install …@v0.1.0" built (only a downloaded
// module has a checksum); the commit is what the Go toolchain stamped.
func toolOf(linked string, info *debug.BuildInfo) report.Tool {
	t := report.Tool{Version: linked, Commit: "unknown"}
	if info == nil {
		return t
	}
	if linked == "dev" && info.Main.Sum != "" {
		t.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			t.Commit = s.Value[:min(len(s.Value), 12)]
		}
	}
	return t
}
