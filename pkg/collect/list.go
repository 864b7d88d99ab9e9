package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// all reads the whole listing. With an error it returns what arrived before; a page counts only when it arrived whole.
func (l lister) all(ctx context.Context, seen func(items int)) (page, error) {
	var out page
	token, restarted := "", false
	limit := min(int64(firstPage), max(minPage, pageTarget/int64(max(l.src.PageBytes, 1))))
	for {
		if l.chunkSize > 0 {
			limit = l.chunkSize
		}
		p, meta, err := l.page(ctx, token, limit)
		if expired := apierrors.IsResourceExpired(err) || apierrors.IsGone(err); expired && token != "" {
			// The server compacted the revision that the listing began with. It offers a token that goes on from
			// the same key at the newest revision: whatever existed all along is still seen exactly once.
			if next := expiredContinue(err); next != "" && next != token {
				token = next
				continue
			}
			if !restarted {
				out, token, restarted = page{}, "", true
				continue
			}
		}
		if err != nil {
			return out, err
		}
		out.records, out.bad, out.bytes = append(out.records, p.records...), append(out.bad, p.bad...), out.bytes+p.bytes
		seen(len(p.records))
		if token = meta.Continue; token == "" {
			return out, nil
		}
		if items := int64(len(p.records) + len(p.bad)); items > 0 && p.bytes > 0 {
			limit = min(maxPage, max(minPage, pageTarget*items/p.bytes))
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
		if !errors.Is(err, io.ErrUnexpectedEOF) || attempt == pageRetries || ctx.Err() != nil {
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
			p.bad = append(p.bad, snapshot.Unseen{Verb: "decode", Resource: l.res.full(), Namespace: l.namespace, Reason: err.Error()})
			if app, ok := record.(*snapshot.SparkApplication); !ok || app.Name == "" {
				return nil
			}
		}
		p.records = append(p.records, record)
		return nil
	})
	p.bytes = counted.n
	if err != nil {
		return page{}, meta, fmt.Errorf("reading %s: %w", l.res.full(), err)
	}
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

type countingReader struct {
	io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}
