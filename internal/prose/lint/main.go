// Lint prints the wordings in pages of Markdown and in comments of Go that this project does not use, with their places, and exits with 1
// if there are any.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/prose"
)

func main() {
	faults, err := lint(os.Stdout, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if faults > 0 {
		os.Exit(1)
	}
}

// lint prints the faults of the pages and returns how many there are. Of a changelog it reads the newest section: what was released stays
// as it is.
func lint(to io.Writer, pages []string) (int, error) {
	if len(pages) == 0 {
		return 0, fmt.Errorf("no page is named")
	}
	faults := 0
	for _, path := range pages {
		page, err := os.ReadFile(path) // #nosec G304 G703 -- a page of this tree
		if err != nil {
			return faults, fmt.Errorf("reading a page: %w", err)
		}
		if filepath.Base(path) == "CHANGELOG.md" {
			page = newestSection(page)
		}
		found, err := wordings(path, page)
		if err != nil {
			return faults, fmt.Errorf("%s: %w", path, err)
		}
		for _, f := range found {
			faults++
			if _, err := fmt.Fprintf(to, "%s:%s\n", path, f); err != nil {
				return faults, err
			}
		}
	}
	return faults, nil
}

// wordings are the faults of a page, or of the comments of a file of Go.
func wordings(path string, text []byte) ([]prose.Fault, error) {
	if filepath.Ext(path) == ".go" {
		return prose.Comments(text)
	}
	return prose.Markdown(text), nil
}

// newestSection is the changelog up to its second release.
func newestSection(page []byte) []byte {
	sections := strings.Split(string(page), "\n## ")
	return []byte(strings.Join(sections[:min(2, len(sections))], "\n## "))
}
