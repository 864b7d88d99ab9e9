package redact_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"
)

// FuzzText holds that nothing around a secret keeps it from being found, and that what was redacted stays as it is, so that
// an archive replays the same text.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", `--conf spark.x.secret.key=a {"password": "b\"c"} s3://u:p@h Bearer abcdefgh12345678`, "-----BEGIN RSA PRIVATE KEY-----\nx",
		`{"name":"`, `token: 'y`,
		`AKIAIOSFODNN7EXAMPLE secretName: x`, `password="[redac`, `{\"accessToken\":\"x`, "Cookie:", "[redacted][redacted]", `value: "`,
		"password: |\n  ", "curl -u",
		"spark.kubernetes.driver.secretKeyRef.X=", "https://a:", "thin:", "Authorization: Digest", "tokens=[", "secret:&x{",
	} {
		f.Add(seed, seed)
	}
	forms := redacttest.Forms("hunter2Zq9xK4")
	f.Fuzz(func(t *testing.T, before, after string) {
		defer allocated.Bound(t, len(before)+len(after))()
		if len(before)+len(after) > 4096 {
			return
		}
		for _, text := range []string{before, before + after} {
			once := redact.Text(text)
			require.Equal(t, once, redact.Text(once))
		}
		for _, form := range forms {
			if strings.Contains(before+after, form.Secret) {
				return
			}
			text := before + " " + form.Text + " " + after
			require.NotContains(t, redact.Text(text), form.Secret, text)
		}
	})
}

// TestForms: by themselves, in lines, and in a string of JSON.
func TestForms(t *testing.T) {
	for _, form := range redacttest.Forms("hunter2Zq9xK4") {
		for _, text := range []string{form.Text, "a\n" + form.Text + "\nb", "got " + form.Text + ", then", "(" + form.Text + ")",
			`{"message":` + quoted(t, form.Text) + `}`} {
			got := redact.Text(text)
			require.NotContains(t, got, form.Secret, text)
			require.Contains(t, got, redact.Mark, text)
		}
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(text))
	return strings.TrimSpace(out.String())
}

// BenchmarkText: what 100,000 pods have, a message, and the log of a driver.
func BenchmarkText(b *testing.B) {
	plain, err := os.ReadFile("testdata/plain.txt")
	require.NoError(b, err)
	for name, text := range map[string]string{
		"word":    "ContainerCreating",
		"image":   "registry.example.com:5000/spark/etl:3.5.5",
		"message": strings.SplitN(string(plain), "\n", 3)[1],
		"log":     strings.Repeat(string(plain), 4<<20/len(plain)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				redact.Text(text)
			}
		})
	}
}
