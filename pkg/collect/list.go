package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const (
	pageTarget  = 16 << 20 // bytes of a page that paging aims at
	minPage     = 10       // items
	maxPage     = 5000
	firstPage   = 500 // items, until the size of an item is known
	pageRetries = 3   // of a page that was cut short
	maxExpired  = 8   // times that a listing may expire: each went on for minutes

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
}

// page is what was decoded from one answer, or from several.
type page struct {
	records []snapshot.Record
	bad     []snapshot.Unseen // items that could not be decoded
	bytes   int64
}

// all reads the whole listing and tells seen how many items it has so far. With an error it returns what arrived
// before; a page counts only when it arrived whole.
func (l lister) all(ctx context.Context, seen func(items int)) (page, error) {
	var out page
	token, expired := "", 0
	limit, most := min(int64(firstPage), max(minPage, pageTarget/int64(max(l.src.PageBytes, 1)))), int64(maxPage)
	if l.chunkSize > 0 {
		limit, most = l.chunkSize, l.chunkSize
	}
	for {
		p, meta, err := l.page(ctx, token, limit)
		if errors.Is(err, errSlow) && limit > minPage {
			// A page that does not arrive in time does in parts: the line is slow, not the server.
			most = max(minPage, limit/8)
			limit = most
			continue
		}
		if gone := apierrors.IsResourceExpired(err) || apierrors.IsGone(err); gone && token != "" && expired < maxExpired {
			// The server compacted the revision that the listing began with. It offers a token that goes on from
			// the same key at the newest revision: whatever existed all along is still seen exactly once. Without
			// one the listing starts anew.
			expired++
			if token = expiredContinue(err); token == "" {
				out = page{}
			}
			continue
		}
		if err != nil {
			return out, err
		}
		out.records, out.bad, out.bytes = append(out.records, p.records...), append(out.bad, p.bad...), out.bytes+p.bytes
		seen(len(out.records))
		if meta.Continue == token && token != "" {
			return out, errors.New("the server answered with the same page again")
		}
		if token = meta.Continue; token == "" {
			return out, nil
		}
		if items := int64(len(p.records) + len(p.bad)); items > 0 && p.bytes > 0 && l.chunkSize == 0 {
			limit = min(most, max(minPage, pageTarget*items/p.bytes))
		}
	}
}

func expiredContinue(err error) string {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status().ListMeta.Continue
	}
	return ""
}

// page reads one page, again if it was cut short.
func (l lister) page(ctx context.Context, token string, limit int64) (p page, meta metav1.ListMeta, err error) {
	for attempt := 0; ; attempt++ {
		p, meta, err = l.tryPage(ctx, token, limit)
		if !errors.Is(err, errCutShort) || attempt == pageRetries || ctx.Err() != nil {
			return p, meta, err
		}
	}
}

func (l lister) tryPage(ctx context.Context, token string, limit int64) (page, metav1.ListMeta, error) {
	selector := l.selector
	if selector == "" {
		selector = l.src.LabelSelector
	}
	body, err := l.c.stream(ctx, l.res.path(l.namespace), acceptOf(l.src.Encoding), map[string]string{
		"limit": strconv.FormatInt(limit, 10), "continue": token, "labelSelector": selector, "fieldSelector": l.src.FieldSelector,
	})
	if err != nil {
		return page{}, metav1.ListMeta{}, err
	}
	defer body.Close() //nolint:errcheck // read only
	var p page
	counted := &countingReader{Reader: body}
	meta, err := readList(counted, func(enc snapshot.Encoding, raw []byte) error {
		record, err := snapshot.Decode(l.src, snapshot.Item{Encoding: enc, Raw: raw})
		if err != nil {
			u := undecodable(l.res.full(), record, snapshot.Location{}, err)
			u.Namespace = cmp.Or(u.Namespace, l.namespace)
			p.bad = append(p.bad, u)
		}
		if record != nil {
			p.records = append(p.records, record)
		}
		return nil
	})
	p.bytes = counted.n
	if err != nil {
		return page{}, meta, fmt.Errorf("reading %s: %w", l.res.full(), counted.blame(err))
	}
	_, _ = io.CopyN(io.Discard, body, 512) // what follows the list, so that the connection can be used again
	return p, meta, nil
}

func acceptOf(e snapshot.Encoding) string {
	switch e {
	case snapshot.Protobuf:
		return "application/vnd.kubernetes.protobuf,application/json"
	case snapshot.Metadata:
		return "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
	default:
		return "application/json"
	}
}

// countingReader counts bytes and remembers whether it was the connection that ended the reading.
type countingReader struct {
	io.Reader
	n   int64
	err error
}

func (c *countingReader) Read(p []byte) (int, error) {
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
