package checks

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"

// PageURL returns the address at which the page of a check is published: a copy that make generate writes. Alerts, reports and
// bookmarks hold it, so it depends on nothing but the id, wherever the check and its page are.
func PageURL(id string) string {
	return "https://github.com/sparkdoctor/kubectl-sparkdoctor/blob/main/docs/checks/" + id + ".md"
}

// Docs returns the page of a check, in Markdown.
func Docs(id string) ([]byte, error) {
	c, err := check.Lookup(Catalogue(), id)
	if err != nil {
		return nil, err
	}
	return c.Page()
}
