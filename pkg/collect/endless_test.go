package collect

import (
	"encoding/binary"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// endless writes the same until nobody reads it any more.
func endless(w io.Writer, before, text string) {
	_, err := io.WriteString(w, before)
	for part := []byte(strings.Repeat(text, 1+(64<<10)/len(text))); err == nil; {
		_, err = w.Write(part)
	}
}

// TestListingsThatNeverEnd holds that each is given up, with a reason, and that what came before counts.
func TestListingsThatNeverEnd(t *testing.T) {
	page := func(w http.ResponseWriter, token string, items ...any) {
		answer(w, "application/json", map[string]any{"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplicationList",
			"metadata": map[string]any{"continue": token}, "items": append([]any{}, items...)})
	}
	for name, c := range map[string]struct {
		answer   func(w http.ResponseWriter, before int)
		want     string
		requests int
		apps     int
	}{
		"tokens in a circle": {func(w http.ResponseWriter, n int) {
			page(w, "token-"+strconv.Itoa(n%3), application("a"+strconv.Itoa(n), "team-a"))
		}, "the server answered with the same page again", 4, 4},
		"new tokens and the same object": {func(w http.ResponseWriter, n int) {
			page(w, "token-"+strconv.Itoa(n), application("a", "team-a"))
		}, "the server repeated objects in 3 pages in a row and still names a next page", 4, 4},
		"new tokens and nothing else": {func(w http.ResponseWriter, n int) {
			page(w, "token-"+strconv.Itoa(n))
		}, "the server sent 3 empty pages in a row and still says that the list goes on", 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t)
			server.fault = onList(appsPath, func(w http.ResponseWriter, _ *http.Request, before int) bool { c.answer(w, before); return true })
			s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
			cover := s.Coverage(snapshot.SparkApplications)
			require.Equal(t, snapshot.Partial, cover.State)
			require.Equal(t, c.want, cover.Unseen[0].Reason)
			require.Equal(t, c.requests, server.asked(appsPath))
			require.Len(t, s.SparkApplications(), c.apps)
		})
	}
}

// TestBodyThatNeverEnds holds how many objects a listing may have.
func TestBodyThatNeverEnds(t *testing.T) {
	server := newServer(t)
	server.fault = onList("/api/v1/pods", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
		endless(w, string(protobufHead())+"\x12"+string(binary.AppendUvarint(nil, 1<<39)), "\x12\x00") // a list of empty pods
		return true
	})
	c, err := newClient(connected(t, server.config()), 0, 0)
	require.NoError(t, err)
	src, _ := snapshot.SourceOf(snapshot.SparkPods)
	l := (&gatherer{c: c}).lister(src, resource{version: "v1", name: "pods"})
	l.keep = func(snapshot.Record) bool { return false }
	got, err := l.all(t.Context(), func(page) {})
	require.EqualError(t, err, "reading pods: gave up after 1000000 objects, more than sparkdoctor reads in one listing")
	require.Zero(t, got.pages)
	require.Equal(t, 1, server.asked("/api/v1/pods"), "asking again would not help")
}

// TestPageThatNeverEnds holds how long a page may be, whatever is in it.
func TestPageThatNeverEnds(t *testing.T) {
	body := &countingReader{Reader: strings.NewReader(`{"items":[` + strings.Repeat("{},", 1<<20)), most: 1 << 20}
	_, err := newListReader(new(input.Budget)).read(body, podList(), func(string) {}, func(snapshot.Encoding, []byte) error { return nil })
	require.ErrorIs(t, body.blame(err), errLongPage)
	require.Equal(t, "gave up on a page of more than 2048 MiB", reasonOf(err))
}

// TestPageOfNothing holds that a page is not read to its end for the sake of what is no object.
func TestPageOfNothing(t *testing.T) {
	protobuf := func(list string) string { // of a list that names a next page
		return string(protobufHead()) + "\x12" + string(binary.AppendUvarint(nil, 1<<39)) + list
	}
	for name, c := range map[string]struct{ before, text, want string }{
		"blanks in front of all":    {"", " ", "the answer has more than 1 MiB of white space in one place"},
		"blanks between items":      {`{"items":[{},`, "\n", "the answer has more than 1 MiB of white space in one place"},
		"blanks behind a name":      {`{"items"`, "\t", "the answer has more than 1 MiB of white space in one place"},
		"fields in front of a list": {protobufMagic, "\x0a\x00", "it is full of what is no item"},
		"fields of a list":          {protobuf(""), "\x1a\x00", "it is full of what is no item"},
		"metadata of a list":        {protobuf(""), "\x0a\x00", "it is full of what is no item"},
		"a large field":             {protobufMagic + "\x0a" + string(binary.AppendUvarint(nil, 1<<39)), " ", "it is full of what is no item"},
	} {
		t.Run(name, func(t *testing.T) {
			text := io.MultiReader(strings.NewReader(c.before), strings.NewReader(strings.Repeat(c.text, 8<<20)))
			body := &countingReader{Reader: text, most: 16 << 20}
			_, err := newListReader(new(input.Budget)).read(body, podList(), func(string) {}, func(snapshot.Encoding, []byte) error { return nil })
			require.ErrorContains(t, body.blame(err), c.want)
			require.Less(t, body.n, int64(3<<20), "no more is read")
		})
	}
	indented := `{"kind":"PodList","apiVersion":"v1","items":[` + strings.Repeat("\n"+strings.Repeat(" ", 1000)+"{},", 2000) + "{}]}"
	ignored := func(snapshot.Encoding, []byte) error { return nil }
	_, err := newListReader(new(input.Budget)).read(strings.NewReader(indented), podList(), func(string) {}, ignored)
	require.NoError(t, err, "blanks in many places are how a proxy may write")
}

// TestBodiesThatAreNoList holds what is said of an answer in JSON that does not come to its end, and what is read of it.
func TestBodiesThatAreNoList(t *testing.T) {
	const list = `{"kind":"PodList","apiVersion":"v1","items":[`
	for name, c := range map[string]struct {
		body io.Reader
		want error
	}{
		"a string that never ends":   {io.MultiReader(strings.NewReader(list+`"`), strings.NewReader(strings.Repeat("x", 70<<20))), errLargeItem},
		"a name that never ends":     {io.MultiReader(strings.NewReader(`{"`), strings.NewReader(strings.Repeat("x", 70<<20))), errLargeItem},
		"a reader without progress":  {io.MultiReader(strings.NewReader(list), idle{}), io.ErrNoProgress},
		"cut in an item":             {strings.NewReader(list + `{"a":`), io.ErrUnexpectedEOF},
		"cut behind an item":         {strings.NewReader(list + `{}`), io.ErrUnexpectedEOF},
		"cut behind the items":       {strings.NewReader(list + `{}]`), io.ErrUnexpectedEOF},
		"an item that is too deep":   {strings.NewReader(list + strings.Repeat("[", 1<<20)), errSyntax},
		"an item that is no JSON":    {strings.NewReader(list + "{]"), errSyntax},
		"items without a comma":      {strings.NewReader(list + "{}{}]}"), errSyntax},
		"a comma behind the last":    {strings.NewReader(list + "{},]}"), errSyntax},
		"a member without a name":    {strings.NewReader(`{7:[]}`), errSyntax},
		"a connection that is reset": {io.MultiReader(strings.NewReader(list), iotest.ErrReader(io.ErrClosedPipe)), io.ErrClosedPipe},
	} {
		_, err := newListReader(new(input.Budget)).read(c.body, podList(), func(string) {}, func(snapshot.Encoding, []byte) error { return nil })
		require.Equal(t, c.want, err, name)
	}
}

// idle returns nothing, and no error.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// TestDiscoveryThatNeverEnds holds that a scan ends when what the server says it serves does not.
func TestDiscoveryThatNeverEnds(t *testing.T) {
	server := newServer(t)
	server.fault = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/apis" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		endless(w, `{"kind":"APIGroupList","groups":[{}`, ",{}")
		return true
	}
	_, _, err := scanErr(t.Context(), server, ClusterOptions{})
	require.ErrorContains(t, Explain(err, "https://host"), "its values would take more than ")
}

// TestEveryFailureSaysSomething holds that a status without a message is named by its code.
func TestEveryFailureSaysSomething(t *testing.T) {
	silent := &apierrors.StatusError{ErrStatus: metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Reason: metav1.StatusReasonNotFound,
		Code: http.StatusNotFound,
	}}
	server := newServer(t)
	server.fault = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != appsPath {
			return false
		}
		fail(w, silent)
		return true
	}
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
	require.Equal(t, "the API server answered 404 (Not Found) without a message", s.Coverage(snapshot.SparkApplications).Unseen[0].Reason)

	require.ErrorContains(t, Explain(silent, "https://host"), "the API server answered 404 (Not Found) without a message")
}
