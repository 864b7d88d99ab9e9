package cli

import (
	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

func newSchema(streams genericiooptions.IOStreams) *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of the report", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := streams.Out.Write(report.Schema())
			return err
		},
	}
}
