package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExcerpt(t *testing.T) {
	filler := func(n int) string { return strings.Repeat("word ", n/5) }
	for name, text := range map[string]string{
		"cut in a URL":   filler(95) + "s3://me:hunter2-and-more@bucket/path",
		"cut in quotes":  filler(90) + `password="hunter2 and more words" then`,
		"cut in a token": filler(90) + "token=hunter2" + strings.Repeat("x", 40),
		"far behind a private key": "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("hunter2", 55) + "-----END PRIVATE KEY-----" + filler(300) +
			"s3://me:hunter2" + strings.Repeat("y", 200) + "@x",
		"all of it a key": "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("hunter2", 600),
		"at the end of the window": strings.Repeat("password=secrets-of-length-forty-and-some-more ", 7) + "s3://me:hunter2" +
			strings.Repeat("z", 300) + "@x",
	} {
		got := Excerpt(text, 100)
		require.NotContains(t, got, "hunter", name)
		require.LessOrEqual(t, len(got), 100+len(Mark), name)
		require.Equal(t, got, Text(got), name)
	}
	require.Equal(t, "as it is", Excerpt("as it is", 100))
	require.Equal(t, strings.Repeat("ü", 50), Excerpt(strings.Repeat("ü", 300), 101))
}
