// Package redacttest writes secrets in the forms in which pkg/redact finds them, whatever stands around them.
package redacttest

import (
	"encoding/hex"
	"strings"
)

// Form is a text with a secret in it.
type Form struct{ Text, Secret string }

// Forms returns all forms with a secret of letters and digits, at least 12 of them and some of each.
func Forms(secret string) []Form {
	var out []Form
	add := func(secret string, texts ...string) {
		for _, text := range texts {
			out = append(out, Form{strings.ReplaceAll(text, "%s", secret), secret})
		}
	}
	add(secret, // calls, statements, and more than one line
		`('spark.hadoop.fs.s3a.secret.key', '%s')`, `.option("password", "%s")`, `conf.set("spark.ssl.keyPassword", "%s")`,
		`os.environ["X_SECRET"] = "%s"`, `OPTIONS (url 'jdbc:x', password '%s')`, `ALTER USER etl WITH PASSWORD '%s'`,
		"{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"%s\"\n}", "- name: DB_PASSWORD\n  value: %s", "password: |\n  %s",
		"\"password\":\n  \"%s\"",
		"--password\n%s", `fs.azure.account.key.files01.dfs.core.windows.net=%s`, `fs.azure.sas.files.a.blob.core.windows.net=%s`,
		`spark.redis.auth=%s`, `basic.auth.user.info=u:%s`, `jdbc:sqlserver://h;user=a;password={p;%s};encrypt=true`,
	)
	add(secret, // names and values
		`{"name":"DB_PASSWORD","value":"%s"}`, `{"value":"%s","name":"DB_PASSWORD"}`, `{\"name\":\"DB_PASSWORD\",\"value\":\"%s\"}`,
		`{Name:DB_PASSWORD Value:%s}`, `{Name:DB_PASSWORD Value:%s ValueFrom:nil}`, `{Name:"DB_PASSWORD", Value:"%s"}`,
		`<name>fs.s3a.secret.key</name><value>%s</value>`, `<password>%s</password>`,
		`AWS_SECRET_ACCESS_KEY: %s`, `client_secret: %s`, `DB_PASSWORD=%s`, `REDIS_PASS=%s`, `javax.jdo.option.pwd=%s`,
		`"password":"%s"`, `\"password\":\"%s\"`, `'password': '%s'`, `password="%s and more"`,
		`--password %s`, `--password=%s`, `["--password","%s"]`, `[\"--password\",\"%s\"]`,
		`--conf spark.hadoop.fs.s3a.secret.key=%s`, `fs.azure.account.key.a.dfs.core.windows.net=%s`, `fs.azure.sas.c.a.blob.core.windows.net=%s`,
		`(spark.ssl.keyPassword,%s)`, `spark.ssl.keyPassword -> %s`, `AccountKey=%s;EndpointSuffix=x`,
	)
	add(secret, // URLs and headers
		`https://h/x?a=b&sig=%s`, `https://h/x?X-Amz-Signature=%s`, `https://h/x?Signature=%s&Expires=1`, `https://u:%s@h/x`, `s3a://%s@bucket/x`,
		`jdbc:oracle:thin:scott/%s@h:1521`, `Cookie: session=%s`, `Authorization: Token %s`, `Authorization: Bearer %s`, `x-api-key: %s`,
		`curl -H "X-Api-Key: %s"`, `curl -u a:%s http://h`, `{"auth":"%s"}`, `Bearer %s`,
	)
	add(secret, // programs, and languages
		`mysql -u root -p%s db`, `mysqldump -h x -p'%s' db`, `sshpass -p %s ssh a@b`, `sshpass -p'%s' ssh a@b`, `["mysql","-uroot","-p%s"]`,
		`redis-cli -h x -a %s`, `docker login -u a -p %s r.io`, `ldapsearch -x -w %s`, `beeline -u jdbc:hive2://h:1 -p %s`,
		`aws configure set aws_secret_access_key %s`, `b'password': b'%s'`,
	)
	add(secret, // escapes
		`%22password%22%3A%22%s%22`, `?a=password%3D%s`, `password&#61;%s`, `&quot;password&quot;:&quot;%s&quot;`,
		`\u0022password\u0022:\u0022%s\u0022`, `password\u003d%s`, `password\x3d%s`, `%2522password%2522%253A%2522%s%2522`,
	)
	long := (secret + "0123456789abcdefghijklmnopqrstuvwxyz")[:36]
	add(long, // tokens
		"ghp_%s", "gho_%s", "xoxb-123456789012-%s", "hf_%s", "AIza%s", "glpat-%s", "npm_%s", "github_pat_11ABCDEFG0%s%s",
		"eyJhbGciOiJIUzI1NiJ9.eyJ%s.%s",
		"-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----", `-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----`,
	)
	add((hex.EncodeToString([]byte(secret)) + "0123456789abcdef0123456789abcdef")[:32], "dapi%s")
	return out
}
