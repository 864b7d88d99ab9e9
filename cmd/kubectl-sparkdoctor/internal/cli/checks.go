package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

func newChecks(streams genericiooptions.IOStreams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: "checks", Short: "List the checks", Args: cobra.NoArgs,
		Example: "  kubectl sparkdoctor checks\n  kubectl sparkdoctor checks -o json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch output {
			case "":
				return terminal.Catalogue(streams.Out, checks.Catalogue())
			case "json":
				return catalogueJSON(streams)
			default:
				return usageError(cmd, fmt.Errorf("unknown output format %q: only json", output))
			}
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "output format: json")
	return cmd
}

type listedCheck struct {
	ID    string `json:"id"`
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Since string `json:"since"`
}

func catalogueJSON(streams genericiooptions.IOStreams) error {
	list := []listedCheck{}
	for _, c := range checks.Catalogue() {
		list = append(list, listedCheck{c.ID, c.Slug, c.Title, c.Since})
	}
	enc := json.NewEncoder(streams.Out)
	enc.SetIndent("", "    ")
	return enc.Encode(list)
}
