package checks

import "embed"

//go:embed docs/*.md
var docs embed.FS

// PageURL is where the page of a check is published.
func PageURL(id string) string {
	return "https://github.com/sparkdoctor/kubectl-sparkdoctor/blob/main/pkg/checks/docs/" + id + ".md"
}

// Docs returns the page of a check, in Markdown.
func Docs(id string) ([]byte, error) { return docs.ReadFile("docs/" + id + ".md") }
