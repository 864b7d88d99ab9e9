package redacttest

import "strings"

// pair is a way to write a name, %k, and its value, %s.
type pair struct {
	text string
	only func(name string) bool // nil: any name
}

func dotted(name string) bool   { return strings.Contains(name, ".") }
func plain(name string) bool    { return !dotted(name) }
func password(name string) bool { return strings.HasSuffix(strings.ToLower(name), "password") }

// names are of each class of secret.
func names() []string {
	return []string{
		"password", "DB_PASSWORD", "sfPassword", "API_TOKEN", "api_key", "client_secret", "clientSecret", "AWS_SECRET_ACCESS_KEY", "X_SECRET",
		"spark.hadoop.fs.s3a.secret.key", "fs.s3a.bucket.files.secret.key", "spark.ssl.keyStorePassword", "spark.redis.auth", "REDIS_AUTH",
		"basic.auth.user.info", "fs.azure.account.key.files.dfs.core.windows.net", "fs.azure.account.key.files01.dfs.core.windows.net",
		"fs.azure.sas.files.acct.blob.core.windows.net", "fs.azure.account.oauth2.client.secret.files.dfs.core.windows.net",
	}
}

// pairs are a separator each, with the quotes and the line breaks that belong to it.
func pairs() []pair {
	return []pair{
		{text: "%k=%s"}, {text: "%k: %s"}, {text: "%k = %s"}, {text: `%k="%s"`}, {text: "export %k='%s'"}, {text: "-D%k=%s"}, {text: "--conf %k=%s"},
		{text: `"%k": "%s"`}, {text: `'%k': '%s'`}, {text: `"%k":"%s"`}, {text: "'%k' = '%s'"}, {text: "%k -> %s"}, {text: "<%k>%s</x>"},
		{text: "('%k', '%s')"}, {text: `("%k", "%s")`}, {text: "[('a', 'b'), ('%k', '%s')]"}, {text: `["%k", "%s"]`, only: dotted}, {text: "(%k,%s)"},
		{text: `.option("%k", "%s")`}, {text: `.config('%k', '%s')`}, {text: `conf.set("%k", "%s")`}, {text: "properties.put(\n  \"%k\",\n  \"%s\"\n)"},
		{text: `os.environ["%k"] = "%s"`}, {text: `os.environ['%k']='%s'`}, {text: `os.environ.get("%k", "%s")`},
		{text: "OPTIONS (url 'jdbc:x', %k '%s')", only: plain}, {text: "OPTIONS ('%k' '%s', a 'b')"},
		{text: "ALTER USER etl %k '%s'", only: password}, {text: "ALTER USER etl WITH %k\n  '%s'", only: password},
		{text: "--%k %s"}, {text: "--%k\n%s"}, {text: "--%k \\\n  %s"}, {text: `["--%k","%s"]`}, {text: "- --%k\n- %s"},
		{text: `{"name":"%k","value":"%s"}`}, {text: "{\n  \"name\": \"%k\",\n  \"value\": \"%s\"\n}"}, {text: "{Name:%k Value:%s}"},
		{text: "- name: %k\n  value: %s"}, {text: "- value: %s\n  name: %k"}, {text: "<name>%k</name>\n<value>%s</value>"},
		{text: "%k: |\n  %s"}, {text: "%k: >-\n  %s"}, {text: "%k:\n  %s"}, {text: "%k:\n  \"%s\""}, {text: "\"%k\":\n  \"%s\""},
		{text: "jdbc:sqlserver://h;user=a;%k={p;%s};encrypt=true", only: plain}, {text: "https://h/x?a=b&%k=%s"},
	}
}

// Grammar returns every name with every separator.
func Grammar(secret string) []Form {
	var out []Form
	for _, p := range pairs() {
		for _, name := range names() {
			if p.only == nil || p.only(name) {
				out = append(out, Form{strings.NewReplacer("%k", name, "%s", secret).Replace(p.text), secret})
			}
		}
	}
	return out
}

// Alike returns texts that look like secrets and are none.
func Alike() []string {
	var out []string
	for _, text := range []string{
		"%k: not set", "env %k: not found", "%k is not set", "%k: missing", "%k: is required", "%k=${%k}", "%k: $(%k)", "%k: \"\"",
		"StructField(%k,LongType,true)", "StructField('%k', LongType(), True)", `df.select("%k", "id")`, "dropDuplicates('%k', 'ts')",
		"s3a://b/t/%k=prod/part-00000-6b8f.c000.snappy.parquet", "%k=prod/part-00000-6b8f0b1e", "file:/data/%k=prod/day=2/x.parquet",
		"%k.yaml document 1", "%k.yaml: document 1, line 3", "-f %k.yml: no such file", `secret "%k" not found`, "column '%k' cannot be resolved",
		"mismatched input '%k' expecting", "WARN %k: must not be empty",
	} {
		for _, name := range []string{"password", "DB_PASSWORD", "API_TOKEN", "api_key", "client_secret", "db-secret", "access-token"} {
			out = append(out, strings.ReplaceAll(text, "%k", name))
		}
	}
	return append(out,
		"spark://CoarseGrainedScheduler@10.0.0.1:7078", "spark://HeartbeatReceiver@etl-driver-svc.team-a.svc:7078",
		"the key must begin with `-----BEGIN PRIVATE KEY-----`\n26/01/02 INFO SparkContext: stopped\ndone", "basic.auth.credentials.source=USER_INFO",
		"it must begin with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----, say the docs",
		"fs.azure.sas.token.provider.type.files.dfs.core.windows.net=org.example.Provider",
		"fs.s3a.bucket.token-store.endpoint=https://s3.example.com",
		"spark.hadoop.fs.azure.account.oauth2.refresh.token.endpoint.acct.dfs.core.windows.net=https://login.example.com/token",
		"password:\n  minLength: 8", "secret:\n  secretName: certs", "WARN token:\n  at org.example.A.b(A.java:1)", "password=\nuser=etl",
		"StructType(StructField(password,StringType,true),StructField(id,LongType,false))", "secret={name=certs, key=tls.crt}",
	)
}
