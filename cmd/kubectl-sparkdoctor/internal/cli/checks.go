package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

const checksExample = `  kubectl sparkdoctor checks

  # Those of one area, and those about something
  kubectl sparkdoctor checks SD1
  kubectl sparkdoctor checks webhook certificate

  kubectl sparkdoctor checks -o json`

// meantByWords is the word of an area or a slug that the first word was to be which no check has; empty: none is like it.
func meantByWords(words []string) string {
	for _, word := range words {
		if len(check.Holding(checks.Catalogue(), []string{word}, symptomOf)) > 0 {
			continue
		}
		known := check.Areas()
		for _, c := range checks.Catalogue() {
			known = append(known, strings.Split(c.Slug, "-")...)
		}
		return strings.TrimSuffix(spelling.Meant(spelling.Nearest(word, known, spelling.Few)), "?")
	}
	return ""
}

func newChecks(streams genericiooptions.IOStreams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: "checks [WORD...]", Short: "List the checks, or those that words are about", Example: checksExample,
		Long: "Lists the checks. With words, those whose id, slug, title or area (" +
			strings.Join(check.Areas(), ", ") + ") or symptom has each of them at the beginning of a word.",
		RunE: func(cmd *cobra.Command, words []string) error {
			list := check.Holding(checks.Catalogue(), words, symptomOf)
			switch {
			case output != "" && output != "json":
				return usageError(cmd, fmt.Errorf("unknown output format %q: only json", output))
			case len(list) == 0:
				return fmt.Errorf("no check is about %q%s; 'kubectl sparkdoctor checks' lists all", strings.Join(words, " "),
					meantByWords(words))
			case output == "json":
				return catalogueJSON(streams, list)
			case isTerminal(streams.Out):
				return paged(streams, func(s genericiooptions.IOStreams) error { return terminal.Catalogue(s.Out, list, widthOf(s.Out)) })
			default:
				return terminal.Catalogue(streams.Out, list, 0)
			}
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "output format: json")
	return cmd
}

// symptomOf is what the page of a check says of what a user sees: its first lines, up to the cause.
func symptomOf(id string) string {
	page, err := checks.Docs(id)
	if err != nil {
		return "" // a test finds a check without one
	}
	symptom, _, _ := strings.Cut(string(page), "\n## Cause")
	return symptom
}

type listedCheck struct {
	ID    string `json:"id"`
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Since string `json:"since"`
}

func catalogueJSON(streams genericiooptions.IOStreams, of []check.Check) error {
	list := []listedCheck{}
	for i := range of {
		c := &of[i]
		list = append(list, listedCheck{c.ID, c.Slug, c.Title, c.Since})
	}
	return writeJSON(streams, list)
}

func writeJSON(streams genericiooptions.IOStreams, value any) error {
	enc := json.NewEncoder(streams.Out)
	enc.SetIndent("", "    ")
	return enc.Encode(value)
}
