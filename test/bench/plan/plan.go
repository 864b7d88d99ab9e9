// Package plan says which requests are to be made in which order: what cmd wire plays, and how it is found in what a
// program was seen to do.
package plan

import (
	"net/url"
	"slices"
	"time"
)

// Plan is what is asked of one server.
type Plan struct {
	Server, Token, CAFile string
	Protocol              string  // that TLS agrees on: "h2" or "http/1.1"
	Ahead                 bool    // a page is asked for as soon as the one before says where the list goes on
	Rounds                []Round // one after the other
}

// Round is what goes on at once. A chain is the pages of one list, in order.
type Round struct {
	Parallel int
	Chains   [][]Request
}

// Request is a GET, with the headers that decide about the answer.
type Request struct {
	URI            string // without the token by which a list goes on: that is in the answer before
	Accept         string
	AcceptEncoding string
	Status         int  // of the answer
	Follow         bool // ask for the same again until the list ends
}

// Seen is a request that was made.
type Seen struct {
	Request
	Bytes      int64 // of the answer's body, as it was on the wire
	Sent       int64 // of the request's body
	Start, End time.Time
}

// chain is the pages of one listing: each can be asked for only when the one before it is there.
type chain struct {
	requests   []Request
	start, end time.Time
}

// Rounds finds in a recording what depended on what, knowing nothing of the program that made the requests: the pages
// of a listing follow each other; a chain that began when no other was open had waited for all before it; and
// as many went on at once as overlapped.
func Rounds(log []*Seen) []Round {
	var out []Round
	var open []chain // of the current round
	var latest time.Time
	flush := func() {
		if len(open) == 0 {
			return
		}
		r := Round{Parallel: overlap(open)}
		for _, c := range open {
			r.Chains = append(r.Chains, c.requests)
		}
		out, open = append(out, r), nil
	}
	for _, c := range chains(log) {
		if c.start.After(latest) {
			flush()
		}
		open = append(open, c)
		if c.end.After(latest) {
			latest = c.end
		}
	}
	flush()
	return out
}

// chains returns them in the order in which they began.
func chains(log []*Seen) []chain {
	log = slices.SortedFunc(slices.Values(log), func(a, b *Seen) int { return a.Start.Compare(b.Start) })
	at := map[string]int{}
	var out []chain
	for _, s := range log {
		request := s.Request
		listing, continues := listingOf(&request)
		i, known := at[listing]
		if !known || !continues {
			at[listing] = len(out)
			out = append(out, chain{[]Request{request}, s.Start, s.End})
			continue
		}
		out[i].requests, out[i].end = append(out[i].requests, request), s.End
	}
	return out
}

// listingOf is what the pages of a list have in common. It takes the token from the address.
func listingOf(r *Request) (listing string, continues bool) {
	u, err := url.ParseRequestURI(r.URI)
	if err != nil {
		return r.URI, false
	}
	q := u.Query()
	if continues = q.Has("continue"); continues {
		q.Del("continue")
		u.RawQuery = q.Encode()
		r.URI = u.String()
	}
	q.Del("limit")
	return u.Path + "?" + q.Encode() + " " + r.Accept, continues
}

// overlap is how many chains were open at once, at most.
func overlap(list []chain) int {
	most := 1
	for _, c := range list {
		n := 0
		for _, other := range list {
			if !other.start.After(c.start) && other.end.After(c.start) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
