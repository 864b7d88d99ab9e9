// Command wire makes the requests of a plan and throws the answers away, as they come: compressed ones stay so.
// It is what no program that reads the same can be faster than, and uses the standard library alone.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
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

// follow asks for the pages of a list, each with the token of the one before: as soon as that is there, in a plan that
// asks ahead.
func follow(client *http.Client, p plan.Plan, chain []plan.Request) error {
	if len(chain) == 1 && !chain[0].Follow {
		begun := <-ask(client, p, chain[0])
		if begun.err != nil {
			return begun.err
		}
		return discard(begun.resp)
	}
	next := ask(client, p, chain[0])
	for i := 1; next != nil; i++ {
		begun := <-next
		if begun.err != nil {
			return begun.err
		}
		a, err := newAnswer(begun.resp)
		if err != nil {
			return err
		}
		token, known := a.ahead()
		early := known && p.Ahead
		if early {
			if next, err = follower(client, p, chain, i, token); err != nil {
				return err
			}
		}
		last, err := a.rest(known)
		if err != nil {
			return err
		}
		if !known {
			token = last
		}
		if !early {
			if next, err = follower(client, p, chain, i, token); err != nil {
				return err
			}
		}
	}
	return nil
}

// begun is an answer of which the body is not read yet.
type begun struct {
	resp *http.Response
	err  error
}

func ask(client *http.Client, p plan.Plan, r plan.Request) <-chan begun {
	out := make(chan begun, 1)
	go func() {
		resp, err := open(client, p, r)
		out <- begun{resp, err}
	}()
	return out
}

// follower asks for page i of a list, from 0; nil: there is none. A list that ends elsewhere than in the plan is an error:
// something else would be measured.
func follower(client *http.Client, p plan.Plan, chain []plan.Request, i int, token string) (<-chan begun, error) {
	r := chain[min(i, len(chain)-1)]
	switch {
	case i < len(chain) && token == "":
		return nil, fmt.Errorf("%s: the list ends after page %d, not %d as in the plan", r.URI, i, len(chain))
	case i >= len(chain) && token == "":
		return nil, nil
	case i >= len(chain) && !r.Follow:
		return nil, fmt.Errorf("%s: the list goes on after page %d, its last in the plan", r.URI, i)
	}
	r.URI += "&continue=" + url.QueryEscape(token)
	return ask(client, p, r), nil
}

// open makes a request.
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
