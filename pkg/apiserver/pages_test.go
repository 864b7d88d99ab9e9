package apiserver

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestPagesThatNeverEnd(t *testing.T) {
	type page struct {
		token string
		items int
		first string
	}
	for name, c := range map[string]struct {
		pages []page
		want  string // of the last page; those before it are fine
	}{
		"an end":               {[]page{{"a", 5, ""}, {"b", 5, ""}, {"", 1, ""}}, ""},
		"empty, and an end":    {[]page{{"a", 0, ""}, {"b", 0, ""}, {"", 0, ""}}, ""},
		"empty between others": {[]page{{"a", 0, ""}, {"b", 0, ""}, {"c", 1, ""}, {"d", 0, ""}, {"e", 0, ""}, {"f", 1, ""}}, ""},
		"the same token":       {[]page{{"a", 5, ""}, {"a", 5, ""}}, "the server answered with the same page again"},
		"a token from before":  {[]page{{"a", 5, ""}, {"b", 5, ""}, {"c", 5, ""}, {"b", 5, ""}}, "the server answered with the same page again"},
		"three empty pages in a row": {[]page{{"a", 1, ""}, {"b", 0, ""}, {"c", 0, ""}, {"d", 0, ""}},
			"the server sent 3 empty pages in a row and still says that the list goes on"},
		"the same object, with new tokens": {[]page{{"a", 1, "x"}, {"b", 1, "x"}, {"c", 1, "x"}, {"d", 1, "x"}},
			"the server repeated objects in 3 pages in a row and still names a next page"},
		"objects in a circle": {[]page{{"a", 1, "x"}, {"b", 1, "y"}, {"c", 1, "x"}, {"d", 1, "y"}, {"e", 1, "x"}},
			"the server repeated objects in 3 pages in a row and still names a next page"},
		"an object again, once in a while": {[]page{{"a", 1, "x"}, {"b", 1, "x"}, {"c", 1, "x"}, {"d", 1, "y"}, {"e", 1, "x"}, {"f", 1, "y"},
			{"g", 1, "z"}, {"", 1, "z"}}, ""},
		"objects without a name": {[]page{{"a", 1, ""}, {"b", 1, ""}, {"c", 1, ""}, {"d", 1, ""}, {"e", 1, ""}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var p Pages
			for i, one := range c.pages {
				err := p.Next(one.token, one.items, one.first)
				if i < len(c.pages)-1 || c.want == "" {
					require.NoError(t, err)
					continue
				}
				require.EqualError(t, err, c.want)
			}
		})
	}
}

func TestTooManyPages(t *testing.T) {
	var p Pages
	for i := range maxPages {
		require.NoError(t, p.Next(strconv.Itoa(i), 1, strconv.Itoa(i)))
	}
	require.EqualError(t, p.Next("one more", 1, "one more"), "gave up after 20000 pages, more than sparkdoctor reads of one listing")
}

func TestNamed(t *testing.T) {
	status := func(code int32, reason metav1.StatusReason, message string) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Code: code, Reason: reason, Message: message}}
	}
	for want, err := range map[string]error{
		"not here": status(404, metav1.StatusReasonNotFound, "not here"),
		"the API server answered 404 (Not Found) without a message":       status(404, metav1.StatusReasonNotFound, " \n"),
		"the API server answered 0 (Odd) without a message":               status(0, "Odd", ""),
		"the API server answered 599 (no reason given) without a message": status(599, "", ""),
		"of another kind": errors.New("of another kind"),
	} {
		require.EqualError(t, Named(err), want)
	}
	require.True(t, apierrors.IsNotFound(Named(status(404, metav1.StatusReasonNotFound, ""))))
	require.NoError(t, Named(nil))
}
