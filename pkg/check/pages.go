package check

import (
	"embed"
	"strings"
)

//go:embed *.md
var pages embed.FS

// WithPages gives checks their pages: each is a file that is named by the slug.
func WithPages(pages embed.FS, list ...Check) []Check {
	for i := range list {
		name := strings.ReplaceAll(list[i].Slug, "-", "_") + ".md"
		list[i].Page = func() ([]byte, error) { return pages.ReadFile(name) }
	}
	return list
}
