package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

const (
	pageTarget  = 16 << 20 // bytes of a page that paging aims at
	minPage     = 10       // items
	maxPage     = 5000
	firstPage   = 500 // items, until the size of an item is known
	pageRetries = 3   // of a page that was cut short, or that the server failed to give
	maxExpired  = 8   // times that a listing may expire: each went on for minutes

	// What a listing may hold, so that a server which never ends it does not fill the memory: Kubernetes supports 150,000
	// pods in a cluster (kubernetes.io, "Considerations for large clusters").
	maxItems     = 1_000_000
	maxPageBytes = 2 << 30

	slowBytes = 64 << 10 // of a page that arrived when time was up: fewer, and the server hangs
)

// lister reads one listing, page by page.
type lister struct {
	c         *client
	chunkSize int64 // fixed page size; 0: by size
	src       snapshot.Source
	res       resource
	namespace string // empty: cluster-wide
	selector  string // label selector; the source's own if empty
	keep      func(snapshot.Record) bool
	decode    func(snapshot.Source, wire.Item) (snapshot.Record, error)
	batch     snapshot.Batch // of the page that is read
	reader    *listReader    // of its body, for one page after the other
	spent     input.Budget   // of all pages, which are read one after the other
}

func (g *gatherer) lister(src snapshot.Source, res resource) *lister {
	decoder := wire.NewDecoder()
	decoder.Compare(g.o.Schemas)
	return &lister{c: g.c, chunkSize: g.o.ChunkSize, src: src, res: res, decode: decoder.Decode}
}

// page is what an answer held. The batch is valid until the next page is read.
type page struct {
	batch *snapshot.Batch
	bad   []snapshot.Unseen // items that could not be decoded
	items int
	first string // namespace and name of the first item, if it could be decoded
	bytes int64
	meta  metav1.ListMeta
}

// listing is how a listing went, as far as it went.
type listing struct {
	pages   int
	items   int
	resumed bool // it expired half-way and went on at a newer moment
}

// all reads the whole listing and hands out each page that arrived whole. With an error that is what arrived before.
func (l *lister) all(ctx context.Context, take func(page)) (listing, error) {
	var got listing
	size := l.firstSize()
	next := l.ask(ctx, "", size.limit)
	var pages apiserver.Pages
	for expired := 0; ; {
		p, following, err := l.page(ctx, next, size, maxItems-got.items, pages.MayEnd)
		if errors.Is(err, errSlow) && size.limit > minPage {
			// A page that does not arrive in time does in parts: the line is slow, not the server.
			size.shrink()
			next = l.ask(ctx, next.token, size.limit)
			continue
		}
		if again := expiredContinue(err); again != "" && next.token != "" && expired < maxExpired {
			// The server compacted the revision that the listing began with. It offers a token that goes on from
			// the same key at the newest revision: whatever existed all along is still seen exactly once. Nothing
			// is listed again.
			expired++
			got.resumed = true
			next = l.ask(ctx, again, size.limit)
			continue
		}
		if err != nil {
			return got, err
		}
		got.pages++
		got.items += p.items
		take(p)
		token := p.meta.Continue
		if err := pages.Next(token, p.items, p.first); err != nil || token == "" {
			following.drop()
			return got, err
		}
		if l.chunkSize == 0 {
			size.learn(p)
		}
		if next = following; next == nil {
			next = l.ask(ctx, token, size.limit)
		}
	}
}

// expiredContinue returns where an expired listing goes on, empty if that is not what went wrong.
func expiredContinue(err error) string {
	var status apierrors.APIStatus
	if (apierrors.IsResourceExpired(err) || apierrors.IsGone(err)) && errors.As(err, &status) {
		return status.Status().ListMeta.Continue
	}
	return ""
}

// pageSize says how many items to ask for.
type pageSize struct {
	limit, most int64
	known       bool // from items that were seen
}

func (l *lister) firstSize() pageSize {
	if l.chunkSize > 0 {
		return pageSize{l.chunkSize, l.chunkSize, true}
	}
	return pageSize{min(firstPage, max(minPage, pageTarget/int64(max(l.src.PageBytes, 1)))), maxPage, false}
}

func (s *pageSize) shrink() {
	s.most = max(minPage, s.limit/8)
	s.limit = s.most
}

func (s *pageSize) learn(p page) {
	if p.items > 0 && p.bytes > 0 {
		s.limit, s.known = min(s.most, max(minPage, pageTarget*int64(p.items)/p.bytes)), true
	}
}

// page reads what was asked for, again if it was cut short or the server failed. As soon as the list says how it goes
// on, the next page is asked for, so that the server works on it while this one is decoded; not where the listing may end.
func (l *lister) page(ctx context.Context, asked *pending, size pageSize, room int,
	mayEnd func(token string) bool) (page, *pending, error) {
	for attempt := 0; ; attempt++ {
		var following *pending
		p, err := l.read(asked, room, func(token string) {
			if size.known && token != "" && !mayEnd(token) {
				following = l.ask(ctx, token, size.limit)
			}
		})
		if err == nil {
			return p, following, nil
		}
		following.drop()
		if !passing(err) || attempt == pageRetries || pause(ctx, attempt) != nil {
			return page{}, nil, err
		}
		asked = l.ask(ctx, asked.token, size.limit)
	}
}

func (l *lister) read(asked *pending, room int, more func(token string)) (page, error) {
	body, err := asked.wait()
	if err != nil {
		return page{}, err
	}
	defer body.Close() //nolint:errcheck // read only
	l.batch.Reset()
	p := page{batch: &l.batch}
	counted := &countingReader{Reader: body, most: maxPageBytes}
	if l.reader == nil {
		l.reader = newListReader(&l.spent)
	}
	of := l.res.listOf(l.src, l.src.Encoding == snapshot.Metadata)
	p.meta, err = l.reader.read(counted, of, more, func(enc snapshot.Encoding, raw []byte) error {
		if p.items++; p.items > room {
			return errTooMany
		}
		if enc != snapshot.Protobuf {
			if err := l.spent.JSON(raw); err != nil {
				return err
			}
		}
		record, err := l.decode(l.src, wire.Item{Encoding: enc, Raw: raw})
		if err != nil {
			p.bad = append(p.bad, undecodable(l.res.full(), l.namespace, record, err))
		}
		if record != nil && p.items == 1 {
			key := snapshot.KeyOf(record)
			p.first = key.Namespace + "/" + key.Name
		}
		if record != nil && (l.keep == nil || l.keep(record)) {
			l.batch.Add(l.src.View, record)
			return l.spent.Keep(input.Size(record))
		}
		return nil
	})
	p.bytes = counted.n
	if err != nil {
		return page{}, fmt.Errorf("reading %s: %w", l.res.full(), counted.blame(err))
	}
	_, _ = io.CopyN(io.Discard, body, 512) // what follows the list, so that the connection can be used again
	return p, nil
}

func acceptOf(e snapshot.Encoding) string {
	switch e {
	case snapshot.Protobuf:
		return "application/vnd.kubernetes.protobuf,application/json"
	case snapshot.Metadata:
		const metadata = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
		return "application/vnd.kubernetes.protobuf" + metadata + ",application/json" + metadata + ",application/json"
	default:
		return "application/json"
	}
}

// countingReader counts bytes, gives up after so many, and remembers whether it was the connection that ended the reading.
type countingReader struct {
	io.Reader
	n, most int64
	err     error
}

func (c *countingReader) Read(p []byte) (int, error) {
	if c.n > c.most {
		return 0, errLongPage
	}
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// blame says of a body that could not be read to its end whether it was cut short, which is worth another try. A
// deadline that passed is not.
func (c *countingReader) blame(err error) error {
	var netErr net.Error
	switch {
	case errors.Is(c.err, context.Canceled):
		return c.err
	case errors.As(c.err, &netErr) && netErr.Timeout(), errors.Is(c.err, context.DeadlineExceeded):
		if c.n >= slowBytes {
			return errSlow
		}
		return c.err
	case c.err != nil, errors.Is(err, io.ErrUnexpectedEOF):
		return errCutShort
	default:
		return err
	}
}
