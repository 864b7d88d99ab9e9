package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

func newExplain(streams genericiooptions.IOStreams) *cobra.Command {
	return &cobra.Command{
		Use: "explain CHECK", Short: "Explain a check: what, why, evidence, repair, source", Args: oneCheck,
		Example: "  kubectl sparkdoctor explain SD2001\n  kubectl sparkdoctor explain cross-namespace-owner",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := checks.Lookup(checks.Catalogue(), args[0])
			if err != nil {
				return usageError(cmd, err)
			}
			page, err := checks.Docs(c.ID)
			if err != nil {
				return err
			}
			_, err = streams.Out.Write(page)
			return err
		},
	}
}

func oneCheck(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("explain takes one check, such as SD2001; 'kubectl sparkdoctor checks' lists them")
	}
	return nil
}
