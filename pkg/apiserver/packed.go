package apiserver

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// packed asks for a compressed answer where net/http would (net/http/transport.go@go1.26): net/http would not tell what arrived.
func (g *guard) packed(req *http.Request) (*http.Request, bool) {
	h := req.Header
	if g.plain || h.Get("Accept-Encoding") != "" || h.Get("Range") != "" || h.Get("Upgrade") != "" || req.Method == http.MethodHead {
		return req, false
	}
	req = req.Clone(req.Context())
	req.Header.Set("Accept-Encoding", "gzip")
	return req, true
}

// bound counts what arrives of the answer to a request and what that becomes, and ends it in an error where that is too much.
func bound(req *http.Request, resp *http.Response, packed bool) {
	spent, streamed := req.Context().Value(streamedKey{}).(*input.Budget)
	if streamed = streamed && resp.StatusCode == http.StatusOK; !streamed { // client-go keeps what else comes, while another answer is read
		spent = new(input.Budget)
	}
	from := resp.Body
	text := spent.Packed(from)
	if packed && strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		text = spent.Unpacked(&unzipped{from: text})
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength, resp.Uncompressed = -1, true
	}
	if !streamed {
		text = &bounded{Reader: text, most: func() int64 { return spent.Document(maxAnswer) }}
		if strings.Contains(resp.Header.Get("Content-Type"), "json") {
			text = spent.Values(text)
		}
	}
	resp.Body = body{text, from}
}

type body struct {
	io.Reader
	io.Closer
}

// unzipped reads nothing before it is read: the beginning of an answer may be long in coming.
type unzipped struct {
	from io.Reader
	zip  *gzip.Reader
}

func (u *unzipped) Read(p []byte) (int, error) {
	if u.zip == nil {
		var err error
		if u.zip, err = gzip.NewReader(u.from); err != nil {
			return 0, err
		}
	}
	return u.zip.Read(p)
}
