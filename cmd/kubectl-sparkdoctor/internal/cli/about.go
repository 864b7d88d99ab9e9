package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/config"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

func newVersion(streams genericiooptions.IOStreams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version, and up to which release the operator is known", Args: help.NoArguments(nil),
		Example: "  kubectl sparkdoctor version\n  kubectl sparkdoctor version -o json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch output {
			case "":
				_, err := fmt.Fprint(streams.Out, versionText())
				return err
			case "json":
				return writeJSON(streams, aboutTool())
			default:
				return usageError(cmd, fmt.Errorf("unknown output format %q: only json", output))
			}
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "output format: json")
	return cmd
}

// about is what version says, for programs.
type about struct {
	report.Tool
	Go       string        `json:"go"`
	Operator aboutOperator `json:"operator"`
}

type aboutOperator struct {
	Newest string `json:"newest"` // release that is known
	Next   string `json:"next"`   // what is known of the one after it
	AsOf   string `json:"asOf"`   // day up to which releases were looked for
}

func aboutTool() about {
	return about{tool(), runtime.Version(), aboutOperator{operator.Newest().String(), operator.NextText(), operator.AsOf()}}
}

// versionText is in lines of a terminal: a flag prints it, too, which knows no width.
func versionText() string {
	t := tool()
	return fmt.Sprintf("kubectl sparkdoctor %s (commit %s, %s)\noperator: up to %s, and %s\n",
		t.Version, t.Commit, runtime.Version(), operator.Newest(), operator.NextText())
}

// tool describes this build.
func tool() report.Tool {
	info, _ := debug.ReadBuildInfo()
	return toolOf(info)
}

// toolOf takes version and commit from what the Go toolchain stamped: the module's version for "go install …@v0.1.0", the
// tag for a build of a tagged commit, a pseudo-version for any other (go.dev/doc/go1.24#go-command). A test or a source
// without git has none.
func toolOf(info *debug.BuildInfo) report.Tool {
	t := report.Tool{Version: "dev", Commit: "unknown"}
	if info == nil {
		return t
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		t.Version = v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			t.Commit = s.Value[:min(len(s.Value), 12)]
		}
	}
	return t
}

func newSchema(streams genericiooptions.IOStreams) *cobra.Command {
	schemas := []string{"report", "config", "signatures"}
	return &cobra.Command{
		Use: "schema [report|config|signatures]", Short: "Print the JSON schema of the report, of .sparkdoctor.yaml, or of --signatures",
		Args: help.OneOf(0, "schema", schemas...), ValidArgs: schemas,
		RunE: func(_ *cobra.Command, args []string) error {
			text := report.Schema
			switch {
			case len(args) == 0:
			case args[0] == "config":
				text = config.Schema
			case args[0] == "signatures":
				text = catalog.Schema
			}
			_, err := streams.Out.Write(text())
			return err
		},
	}
}
