package proxy

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Fault is what happens to a request. Pass sends it on to the server.
type Fault func(w http.ResponseWriter, r *http.Request, pass http.Handler)

type rule struct {
	match func(Request) bool
	left  int
	fault Fault
}

// Inject does something to the next times requests that match. Of several rules the first that has any left counts.
func (p *Proxy) Inject(match func(Request) bool, times int, fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = append(p.rules, &rule{match, times, fault})
}

// Answer refuses a request in the server's place, which does not see it. With retryAfter the client is told to come back.
func Answer(code int, reason metav1.StatusReason, message string, retryAfter time.Duration) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		status := metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
			Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
		}
		if retryAfter > 0 {
			seconds := int32(retryAfter / time.Second)
			status.Details = &metav1.StatusDetails{RetryAfterSeconds: seconds}
			w.Header().Set("Retry-After", strconv.Itoa(int(seconds)))
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(status)
	}
}

// LoseRequest closes the connection before the server sees the request. Then may be nil.
func LoseRequest(then func()) Fault {
	return func(http.ResponseWriter, *http.Request, http.Handler) {
		call(then)
		panic(http.ErrAbortHandler)
	}
}

// LoseAnswer closes the connection when the server has carried the request out. Then may be nil.
func LoseAnswer(then func()) Fault {
	return func(_ http.ResponseWriter, r *http.Request, pass http.Handler) {
		pass.ServeHTTP(httptest.NewRecorder(), r)
		call(then)
		panic(http.ErrAbortHandler)
	}
}

// Before has something else happen first, then passes the request on.
func Before(first func()) Fault {
	return func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		call(first)
		pass.ServeHTTP(w, r)
	}
}

// After passes the request on, then has something else happen.
func After(then func()) Fault {
	return func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		pass.ServeHTTP(w, r)
		call(then)
	}
}

func call(f func()) {
	if f != nil {
		f()
	}
}

// Writes reports whether a request changes something on the server: what is only tried or asked does not.
func (r Request) Writes() bool {
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, r.Method) || strings.HasSuffix(r.Path, "/portforward") {
		return false
	}
	return !slices.Equal(r.Query["dryRun"], []string{metav1.DryRunAll}) && !r.deletesOnTrial()
}

// deletesOnTrial reads the options in the body of a DELETE, where client-go puts them.
func (r Request) deletesOnTrial() bool {
	var options metav1.DeleteOptions
	return r.Method == http.MethodDelete && json.Unmarshal(r.Body, &options) == nil && slices.Equal(options.DryRun, []string{metav1.DryRunAll})
}

// At passes requests on and dates the answers, for clients that take the server's time for now.
func At(t time.Time) Fault {
	return func(w http.ResponseWriter, r *http.Request, pass http.Handler) { pass.ServeHTTP(&dated{w, t}, r) }
}

type dated struct {
	http.ResponseWriter
	at time.Time
}

func (d *dated) WriteHeader(status int) {
	d.Header().Set("Date", d.at.UTC().Format(http.TimeFormat))
	d.ResponseWriter.WriteHeader(status)
}

// Unwrap lets a port-forward take the connection over.
func (d *dated) Unwrap() http.ResponseWriter { return d.ResponseWriter }
