package checks

import "embed"

//go:embed docs/*.md
var docs embed.FS

// Docs returns the page of a check, in Markdown.
func Docs(id string) ([]byte, error) { return docs.ReadFile("docs/" + id + ".md") }
