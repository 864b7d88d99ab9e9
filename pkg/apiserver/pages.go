package apiserver

import (
	"errors"
	"fmt"
)

const (
	maxEmpty = 3      // pages in a row that hold nothing and name a next one
	maxPages = 20_000 // of one listing: 200,000 objects in pages of ten, which is as small as they become on a slow line
)

// Pages sees the pages of one listing and tells when it would never end.
type Pages struct {
	seen  map[string]bool
	empty int
}

// Seen returns whether a page named this token before.
func (p *Pages) Seen(token string) bool { return p.seen[token] }

// Next takes the token of a page and how many items the page held. An error means not to go on.
func (p *Pages) Next(token string, items int) error {
	p.empty++
	if items > 0 {
		p.empty = 0
	}
	switch {
	case token == "":
		return nil
	case p.Seen(token):
		return errors.New("the server answered with the same page again")
	case len(p.seen) == maxPages:
		return fmt.Errorf("gave up after %d pages, more than sparkdoctor reads of one listing", maxPages)
	case p.empty == maxEmpty:
		return fmt.Errorf("the server sent %d empty pages in a row and still says that the list goes on", maxEmpty)
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[token] = true
	return nil
}
