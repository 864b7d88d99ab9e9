package apiserver

import (
	"errors"
	"fmt"
)

const (
	maxEmpty = 3      // pages in a row that hold nothing new and name a next one
	maxPages = 20_000 // of one listing: 200,000 objects in pages of ten, which is as small as they become on a slow line
)

// Pages sees the pages of one listing and tells when it would never end.
type Pages struct {
	seen  map[string]bool // tokens that pages named
	first map[string]bool // objects that pages began with
	empty int
	stale int
}

// MayEnd reports whether a listing may be given up at a page that names this token: the next one is asked for once this page was judged.
func (p *Pages) MayEnd(token string) bool {
	return p.seen[token] || p.empty == maxEmpty-1 || p.stale == maxEmpty-1
}

// Next takes the token of a page, how many items the page held and what names the first one, "" if nothing does. An error means not to go
// on. A page may begin as one before did: a listing that expired resumes at a later moment, when the object was written again. A
// few of them in a row are a server that sends the same for ever.
func (p *Pages) Next(token string, items int, first string) error {
	if p.stale++; items > 0 && (first == "" || !p.first[first]) {
		p.stale = 0
	}
	if p.first == nil {
		p.first = map[string]bool{}
	}
	p.first[first] = true
	p.empty++
	if items > 0 {
		p.empty = 0
	}
	switch {
	case token == "":
		return nil
	case p.seen[token]:
		return errors.New("the server answered with the same page again")
	case len(p.seen) == maxPages:
		return fmt.Errorf("gave up after %d pages, more than sparkdoctor reads of one listing", maxPages)
	case p.empty == maxEmpty:
		return fmt.Errorf("the server sent %d empty pages in a row and still says that the list goes on", maxEmpty)
	case p.stale >= maxEmpty:
		return fmt.Errorf("the server repeated objects in %d pages in a row and still names a next page",
			maxEmpty)
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[token] = true
	return nil
}
