package redact_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

const (
	jwt = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJl"
	hex = "0123456789abcdef0123456789abcdef"
)

// TestText: V stands for a secret. It is the marker for what must be gone, and what is left is shown in full.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		// Names and values.
		`{"name":"DB_PASSWORD","value":"V"}`:                               `{"name":"DB_PASSWORD","value":"R"}`,
		`{"name": "DB_PASSWORD", "value": "V W"}, {"name": "A"}`:           `{"name": "DB_PASSWORD", "value": "R"}, {"name": "A"}`,
		`{"value":"V","name":"DB_PASSWORD"}`:                               `{"value":"R","name":"DB_PASSWORD"}`,
		`{\"name\":\"DB_PASSWORD\",\"value\":\"V\"}`:                       `{\"name\":\"DB_PASSWORD\",\"value\":\"R\"}`,
		`{Name:DB_PASSWORD Value:V ValueFrom:nil}`:                         `{Name:DB_PASSWORD Value:R ValueFrom:nil}`,
		`{Name:DB_PASSWORD Value:V and X ValueFrom:nil}`:                   `{Name:DB_PASSWORD Value:R ValueFrom:nil}`,
		`EnvVar{Name:DB_PASSWORD,Value:V,ValueFrom:nil,}`:                  `EnvVar{Name:DB_PASSWORD,Value:R,ValueFrom:nil,}`,
		`v1.EnvVar{Name:"DB_PASSWORD", Value:"V", ValueFrom:(*v1.X)(nil)}`: `v1.EnvVar{Name:"DB_PASSWORD", Value:"R", ValueFrom:(*v1.X)(nil)}`,
		"- name: DB_PASSWORD\n  value: V\n- name: A\n  value: b":           "- name: DB_PASSWORD\n  value: R\n- name: A\n  value: b",
		`{"key":"spark.ssl.keyPassword","value":"V"}`:                      `{"key":"spark.ssl.keyPassword","value":"R"}`,
		`<name>fs.s3a.secret.key</name><value>V</value>`:                   `<name>fs.s3a.secret.key</name><value>R</value>`,
		`<password>V</password>`:                                           `<password>R</password>`,
		"AWS_SECRET_ACCESS_KEY: V":                                         "AWS_SECRET_ACCESS_KEY: R",
		"client_secret: V":                                                 "client_secret: R",
		"secret: V":                                                        "secret: R",
		"got token: V of scope read":                                       "got token: R of scope read",
		"token: 4711":                                                      "token: R",
		"26/08/18 19:31:39 WARN DbPassword: V":                             "26/08/18 19:31:39 WARN DbPassword: R",
		"INFO Password: V is what etl uses":                                "INFO Password: R is what etl uses",
		"INFO Token: V was issued to etl":                                  "INFO Token: R was issued to etl",
		"WARN AwsCredentials: V is what etl uses":                          "WARN AwsCredentials: R is what etl uses",
		"fs.azure.account.key.acct.dfs.core.windows.net: V user: x":        "fs.azure.account.key.acct.dfs.core.windows.net: R user: x",
		"fs.azure.account.key.acct.file.core.windows.net=V":                "fs.azure.account.key.acct.file.core.windows.net=R",
		"fs.azure.sas.container.acct.blob.core.windows.net=V":              "fs.azure.sas.container.acct.blob.core.windows.net=R",
		"javax.jdo.option.pwd=V":                                           "javax.jdo.option.pwd=R",
		"REDIS_PASS=V PWD=/opt/spark OLDPWD=/":                             "REDIS_PASS=R PWD=/opt/spark OLDPWD=/",
		"jdbc:sqlserver://h;user=a;pwd=V;encrypt=true":                     "jdbc:sqlserver://h;user=a;pwd=R;encrypt=true",
		"--password V --name pi":                                           "--password R --name pi",
		"[spark-submit --db-password V]":                                   "[spark-submit --db-password R]",
		`["--password","V","--name","pi"]`:                                 `["--password","R","--name","pi"]`,
		`["--password", "V W"]`:                                            `["--password", "R"]`,
		`[\"--password\",\"V\"]`:                                           `[\"--password\",\"R\"]`,
		"- --password\n- V\n- --name":                                      "- --password\n- R\n- --name",
		"--conf spark.hadoop.fs.s3a.secret.key=V --conf spark.executor.cores=2": "--conf spark.hadoop.fs.s3a.secret.key=R --conf " +
			"spark.executor.cores=2",
		`["--conf","spark.ssl.keyStorePassword=V","--name","pi"]`: `["--conf","spark.ssl.keyStorePassword=R","--name","pi"]`,
		"-Djavax.net.ssl.trustStorePassword=V -Xmx1g":             "-Djavax.net.ssl.trustStorePassword=R -Xmx1g",
		"(spark.hadoop.fs.s3a.secret.key,V)":                      "(spark.hadoop.fs.s3a.secret.key,R)",
		"Map(spark.x.password -> V, b -> c)":                      "Map(spark.x.password -> R, b -> c)",
		"spark.x.password      V\nspark.y  z":                     "spark.x.password      R\nspark.y  z",
		"password=ab,V;W)x then":                                  "password=R then",
		"f(password=V), g(token=V).":                              "f(password=R), g(token=R).",
		`{"user": "bob", "password": "V\"W", "n": 1}`:             `{"user": "bob", "password": "R", "n": 1}`,
		`"error": "{\"accessToken\":\"V\",\"n\":1}"`:              `"error": "{\"accessToken\":\"R\",\"n\":1}"`,
		`{\"password\": \"V\\\"W\", \"n\": 1}`:                    `{\"password\": \"R\", \"n\": 1}`,
		`"password":"V\\","n":"x"`:                                `"password":"R","n":"x"`,
		`password="V and`:                                         `password="R`,
		"token: KEY_PASSWORD: V":                                  "token: R R",
		"password: |-\n  V\n  W\nuser: x":                         "password: |-\n  R\nuser: x",
		"   password: |\n  V\nW":                                  "   password: |\n  R\nW",
		"   password: |\n  user: x\n  token: |\n  - x":            "   password: |\n  user: x\n  token: |\n  - x",
		"map[password:[86 86 86] user:[1]]":                       "map[password:[R] user:[1]]",
		`msg: "password=V\nnext=x"`:                               `msg: "password=R\nnext=x"`,
		// URLs.
		"https://acct.blob.core.windows.net/c/x?sv=2022&sig=V&se=1": "https://acct.blob.core.windows.net/c/x?sv=2022&sig=R&se=1",
		"https://h/x?sig=V": "https://h/x?sig=R",
		"https://b.s3.amazonaws.com/k?X-Amz-Credential=V&X-Amz-Signature=V": "https://b.s3.amazonaws.com/k?X-Amz-Credential=R&X-Amz-Signature=R",
		"https://h/x?AWSAccessKeyId=V&Signature=V&Expires=1":                "https://h/x?AWSAccessKeyId=R&Signature=R&Expires=1",
		`Post "https://bob:V@x@proxy.example.com:443/x?y=z": EOF`:           `Post "https://R@proxy.example.com:443/x?y=z": EOF`,
		"s3a://id:V/W+x@bucket/key":                                         "s3a://R@bucket/key",
		"https://V@github.com/x":                                            "https://R@github.com/x",
		"jdbc:oracle:thin:scott/V@//db:1521/x":                              "jdbc:oracle:thin:scott/R@//db:1521/x",
		"jdbc:oracle:oci:scott/V@db":                                        "jdbc:oracle:oci:scott/R@db",
		// Headers.
		"Cookie: a=V; b=W\nHost: x":                     "Cookie: R\nHost: x",
		"Set-Cookie: session=V; Path=/":                 "Set-Cookie: R",
		"Authorization: Token V":                        "Authorization: Token R",
		"Authorization: Bearer V then":                  "Authorization: Bearer R then",
		"Authorization: V":                              "Authorization: R",
		`Authorization: Digest username="a", nonce="V"`: "Authorization: Digest R",
		`{"Authorization":"Token V"}`:                   `{"Authorization":"Token R"}`,
		"map[Authorization:[Bearer V] Accept:[x]]":      "map[Authorization:[Bearer R] Accept:[x]]",
		`curl -H 'Authorization: Token V' http://x`:     `curl -H 'Authorization: Token R' http://x`,
		"x-api-key: V":                                  "x-api-key: R",
		`curl -H "X-Api-Key: V" http://x`:               `curl -H "X-Api-Key: R" http://x`,
		"got Bearer abcd1234+V there":                   "got Bearer R there",
		"curl -u a:V http://x":                          "curl -u a:R http://x",
		"curl -s --user 'a:V' http://x":                 "curl -s --user 'a:R' http://x",
		`{"auths":{"r.io":{"auth":"V"}}}`:               `{"auths":{"r.io":{"auth":"R"}}}`,
		"CREATE USER a IDENTIFIED BY 'V'":               "CREATE USER a IDENTIFIED BY 'R'",
		// Tokens, whole and cut.
		"got " + jwt + " there":                                            "got R there",
		"got eyJhbGciOiJSUzI1NiIsImtpZCI6":                                 "got R",
		"x ghp_" + hex + "wxyz.":                                           "x R.",
		"x ghp_0123456789ab":                                               "x R",
		"(github_pat_11ABCDEFG0" + hex + hex + ")":                         "(R)",
		"xoxb-123456789012-1234567890123-" + hex[:24]:                      "R",
		"hf_abcdefghijklmnopqrstuvwxyzabcdefgh, x":                         "R, x",
		"key AIzaSyA1234567890abcdefghijklmnopqrstuv":                      "key R",
		"dapi" + hex + "-2":                                                "R",
		"id AKIAIOSFODNN7EXAMPLE end":                                      "id R end",
		"glpat-abcdefghij0123456789":                                       "R",
		"npm_" + hex + "abcd":                                              "R",
		"sha256~" + hex + "abcdefghijk":                                    "R",
		"https://hooks.slack.com/services/T00000000/B00000000/" + hex[:24]: "R",
		// Keys.
		"key -----BEGIN RSA PRIVATE KEY-----\nV\n-----END RSA PRIVATE KEY----- end": "key R end",
		`key -----BEGIN PRIVATE KEY-----\nV\n-----END PRIVATE KEY----- end`:         "key R end",
		"key -----BEGIN OPENSSH PRIVATE KEY-----\nV":                                "key R",
		"tls.key LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2 x":                    "tls.key R x",
	} {
		text, want = spelled(text, 'V', "hunter2"), spelled(want, 'R', redact.Mark)
		got := redact.Text(text)
		assert.Equal(t, want, got)
		assert.Equal(t, got, redact.Text(got), "what was redacted stays as it is")
	}
}

// spelled replaces a capital that is no part of a word.
func spelled(text string, capital byte, by string) string {
	var out strings.Builder
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z' || text[i] == '_')
	}
	for i := range len(text) {
		if text[i] == capital && !letter(i-1) && !letter(i+1) {
			out.WriteString(by)
		} else {
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

// TestPlainText: what is no secret is what people need to read.
func TestPlainText(t *testing.T) {
	text, err := os.ReadFile("testdata/plain.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Greater(t, len(lines), 60)
	for _, line := range lines {
		assert.Equal(t, line, redact.Text(line))
	}
	assert.Equal(t, string(text), redact.Text(string(text)), "nor is anything when the lines stand together")
}

func TestArgs(t *testing.T) {
	require.Equal(t,
		[]string{"webhook", "start", "--webhook-secret-name=certs", "--webhook-secret-namespace", "ns", "--password", redact.Mark, "--token",
			"--api-key=" + redact.Mark, "https://" + redact.Mark + "@example.com"},
		redact.Args([]string{"webhook", "start", "--webhook-secret-name=certs", "--webhook-secret-namespace", "ns", "--password", "hunter2",
			"--token", "--api-key=hunter2", "https://u:hunter2@example.com"}))
}
