package snapshot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestRedact(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a setting of Spark": {
			"--conf spark.hadoop.fs.s3a.secret.key=wJalrXUtnFEMI/K7MDENG --conf spark.executor.cores=2",
			"--conf spark.hadoop.fs.s3a.secret.key=[redacted] --conf spark.executor.cores=2",
		},
		"in a list in JSON":              {`["--conf","spark.ssl.keyStorePassword=hunter2","--name","pi"]`, `["--conf","spark.ssl.keyStorePassword=[redacted]","--name","pi"]`},
		"a member":                       {`{"user": "bob", "password": "hun\"ter2", "n": 1}`, `{"user": "bob", "password": [redacted], "n": 1}`},
		"a member in a string in JSON":   {`"error": "{\"accessToken\":\"abc.def\",\"n\":1}"`, `"error": "{\"accessToken\":[redacted],\"n\":1}"`},
		"with quotes in it, deeper":      {`{\"password\": \"hun\\\"ter2\", \"n\": 1}`, `{\"password\": [redacted], \"n\": 1}`},
		"a line of YAML":                 {"fs.azure.account.key: Zm9v user: x", "fs.azure.account.key: [redacted] user: x"},
		"a password by itself":           {"password: hunter2", "password: [redacted]"},
		"a JSON web token":               {"got eyJhbGciOiJSUzI1NiIsImtpZCI6.eyJpc3MiOiJrdWJlcm5.c2lnbmF0dXJl there", "got [redacted] there"},
		"half of one":                    {"got eyJhbGciOiJSUzI1NiIsImtpZCI6", "got [redacted]"},
		"a header":                       {"Authorization: Bearer abcdefgh12345678", "Authorization: Bearer [redacted]"},
		"user and password of a URL":     {`Post "https://bob:s3cr@t@proxy.example.com:443/x?y=z": EOF`, `Post "https://[redacted]@proxy.example.com:443/x?y=z": EOF`},
		"a private key":                  {"key -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- end", "key [redacted] end"},
		"a private key without an end":   {`key -----BEGIN PRIVATE KEY-----\nMIIE`, "key [redacted]"},
		"an access key of AWS":           {"id AKIAIOSFODNN7EXAMPLE end", "id [redacted] end"},
		"a certificate is no secret":     {"-----BEGIN CERTIFICATE-----\nMIIE", "-----BEGIN CERTIFICATE-----\nMIIE"},
		"what is forbidden is no secret": {`secrets "spark-operator-webhook-certs" is forbidden: User "u" cannot get`, `secrets "spark-operator-webhook-certs" is forbidden: User "u" cannot get`},
		"an ordinary error":              {`failed to get webhook secret: Secret "certs" not found`, `failed to get webhook secret: Secret "certs" not found`},
		"a URL without a user":           {`Post "https://svc.ns.svc:9443/mutate?timeout=10s": x509`, `Post "https://svc.ns.svc:9443/mutate?timeout=10s": x509`},
		"the name of a Secret":           {"--webhook-secret-name=certs --token-file=/var/run/token {\"secretName\": \"certs\"}", "--webhook-secret-name=certs --token-file=/var/run/token {\"secretName\": \"certs\"}"},
		"a class, and a key behind it":   {"spark.hadoop.fs.s3a.aws.credentials.provider=org.Simple spark.hadoop.fs.s3a.access.key=x", "spark.hadoop.fs.s3a.aws.credentials.provider=org.Simple spark.hadoop.fs.s3a.access.key=[redacted]"},
		"a handshake":                    {"http: TLS handshake error from 10.0.0.1:4711: remote error: tls: bad certificate", "http: TLS handshake error from 10.0.0.1:4711: remote error: tls: bad certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			got := snapshot.Redact(c.text)
			require.Equal(t, c.want, got)
			require.Equal(t, got, snapshot.Redact(got), "what was redacted stays as it is")
		})
	}
}
