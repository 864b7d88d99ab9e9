// Command wire makes the requests of a plan and throws the answers away, as they come: compressed ones stay so.
// It is what no program that reads the same can be faster than, and uses the standard library alone.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
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
	transport := &http.Transport{DisableCompression: true, ForceAttemptHTTP2: true}
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
				for _, one := range chain {
					if err := get(client, p, one); err != nil {
						errs[worker] = errors.Join(errs[worker], err)
						break
					}
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

func get(client *http.Client, p plan.Plan, r plan.Request) error {
	req, err := http.NewRequest(http.MethodGet, p.Server+r.URI, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+p.Token)
	req.Header.Set("Accept", r.Accept)
	if r.AcceptEncoding != "" {
		req.Header.Set("Accept-Encoding", r.AcceptEncoding)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != r.Status {
		return fmt.Errorf("%s: the server answered %s, not %d as in the plan", r.URI, resp.Status, r.Status)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return fmt.Errorf("reading %s: %w", r.URI, err)
	}
	return nil
}
