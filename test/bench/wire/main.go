// Command wire makes the requests of a plan and throws the answers away, as they come: compressed ones stay so.
// It is what no program that reads the same can be faster than, and uses the standard library alone.
package main

import (
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/bench/plan"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("wire takes one file with a plan")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return fmt.Errorf("reading the plan: %w", err)
	}
	var p plan.Plan
	if err := json.Unmarshal(text, &p); err != nil {
		return fmt.Errorf("decoding the plan: %w", err)
	}
	client, err := clientOf(p)
	if err != nil {
		return err
	}
	for _, r := range p.Rounds {
		if err := play(client, p, r); err != nil {
			return err
		}
	}
	return nil
}

func clientOf(p plan.Plan) (*http.Client, error) {
	transport := &http.Transport{DisableCompression: true, ForceAttemptHTTP2: p.Protocol == "h2"}
	if p.CAFile != "" {
		ca, err := os.ReadFile(p.CAFile)
		if err != nil {
			return nil, fmt.Errorf("reading the server's certificate: %w", err)
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(ca)
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return &http.Client{Transport: transport}, nil
}

func play(client *http.Client, p plan.Plan, r plan.Round) error {
	chains := make(chan []plan.Request)
	errs := make([]error, r.Parallel)
	var wg sync.WaitGroup
	for worker := range r.Parallel {
		wg.Go(func() {
			for chain := range chains {
				if err := follow(client, p, chain); err != nil {
					errs[worker] = errors.Join(errs[worker], err)
				}
			}
		})
	}
	for _, chain := range r.Chains {
		chains <- chain
	}
	close(chains)
	wg.Wait()
	return errors.Join(errs...)
}

// follow makes the requests of a chain: each when the one before it is answered or, in a plan that asks ahead, when its
// answer begins.
func follow(client *http.Client, p plan.Plan, chain []plan.Request) error {
	if p.Ahead {
		return ahead(client, p, chain)
	}
	for _, r := range chain {
		first := r.URI
		for {
			token, err := get(client, p, r)
			if err != nil {
				return err
			}
			if !r.Follow || token == "" {
				break
			}
			r.URI = first + "&continue=" + url.QueryEscape(token)
		}
	}
	return nil
}

// answer is one that was asked for.
type answer struct {
	resp *http.Response
	err  error
}

func ahead(client *http.Client, p plan.Plan, chain []plan.Request) error {
	ask := func(r plan.Request) <-chan answer {
		out := make(chan answer, 1)
		go func() {
			resp, err := open(client, p, r)
			out <- answer{resp, err}
		}()
		return out
	}
	next := ask(chain[0])
	for i, r := range chain {
		a := <-next
		if a.err != nil {
			return a.err
		}
		if i+1 < len(chain) {
			next = ask(chain[i+1])
		}
		_, err := io.Copy(io.Discard, a.resp.Body)
		a.resp.Body.Close()
		if err != nil {
			return fmt.Errorf("reading %s: %w", r.URI, err)
		}
	}
	return nil
}

// get returns where a list in JSON goes on; the API server writes a list's metadata before its items.
func get(client *http.Client, p plan.Plan, r plan.Request) (token string, err error) {
	resp, err := open(client, p, r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body := io.Reader(resp.Body)
	if r.Follow {
		if token, body, err = continues(resp); err != nil {
			return "", fmt.Errorf("reading %s: %w", r.URI, err)
		}
	}
	if _, err := io.Copy(io.Discard, body); err != nil {
		return "", fmt.Errorf("reading %s: %w", r.URI, err)
	}
	return token, nil
}

// open makes a request and returns its answer, of which the body is not read yet.
func open(client *http.Client, p plan.Plan, r plan.Request) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, p.Server+r.URI, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+p.Token)
	req.Header.Set("Accept", r.Accept)
	if r.AcceptEncoding != "" {
		req.Header.Set("Accept-Encoding", r.AcceptEncoding)
	}
	resp, err := client.Do(req)
	if err == nil && resp.StatusCode != r.Status {
		resp.Body.Close()
		return nil, fmt.Errorf("%s: the server answered %s, not %d as in the plan", r.URI, resp.Status, r.Status)
	}
	return resp, err
}

// continues reads the beginning of a list, and returns the rest of it.
func continues(resp *http.Response) (token string, body io.Reader, err error) {
	body = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(resp.Body); err != nil {
			return "", nil, err
		}
	}
	head := make([]byte, 2048)
	n, err := io.ReadFull(body, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", nil, err
	}
	metadata, _, _ := strings.Cut(string(head[:n]), `"items":`)
	_, rest, _ := strings.Cut(metadata, `"continue":"`)
	token, _, _ = strings.Cut(rest, `"`)
	return token, body, nil
}
