package cli

import (
	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/config"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

func newSchema(streams genericiooptions.IOStreams) *cobra.Command {
	return &cobra.Command{
		Use: "schema [report|config]", Short: "Print the JSON schema of the report, or of .sparkdoctor.yaml",
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs), ValidArgs: []string{"report", "config"},
		RunE: func(_ *cobra.Command, args []string) error {
			text := report.Schema()
			if len(args) > 0 && args[0] == "config" {
				text = config.Schema()
			}
			_, err := streams.Out.Write(text)
			return err
		},
	}
}
