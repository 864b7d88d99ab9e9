package redact

import (
	"slices"
	"strings"
)

// kind says what a name says about the value behind it.
type kind int

const (
	plain     kind = iota
	secret         // the value is a secret
	elsewhere      // the value says where a secret is, in words that mean one: db-credentials:password
	header         // the value is what a header of HTTP carries: a scheme and a secret, or pairs up to the end of the line
)

// name is what a name says.
type name struct {
	kind  kind
	last  bool // its last word is the one that says it, as in db.password, not in password.v.x
	bare  bool // it is a single word: secret, pass, sig
	store bool // of a store that takes a password under this name alone
	word  string
}

func (n name) secret() bool { return n.kind == secret || n.kind == header }

// nameByte reports whether a rune belongs to a name.
func nameByte(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return true
	default:
		return r == '_' || r == '.' || r == '-' || r == '$'
	}
}

// notSecret are words that say, behind one that means a secret, where the secret is, of what kind or how long, not what it is.
func notSecret() []string {
	return []string{
		"name", "names", "namespace", "path", "paths", "file", "files", "dir", "directory", "location", "ref", "reference", "type", "class",
		"kind",
		"provider", "providers", "enabled", "enable", "mode", "count", "length", "len", "size", "ttl", "timeout", "interval", "expiry", "expires",
		"expiration", "seconds", "minutes", "version", "policy", "manager", "service", "server", "url", "uri", "endpoint", "host", "port",
		"algorithm",
		"alg", "format", "prefix", "suffix", "regex", "pattern", "store", "mount", "cache", "controller", "operator", "issuer", "audience",
		"audiences",
		"scope", "scopes", "exception", "error", "review", "handler", "factory", "filter", "generator", "fetcher", "renewer", "renewal",
		"identifier",
		"keyref", "required", "optional", "reader", "util", "utils", "client", "info", "source", "aliases", "cert", "certificate", "hash", "item",
	}
}

// faults are words that say, before one that means a secret, that a message follows: InvalidToken, ExpiredToken.
func faults() []string {
	return []string{"invalid", "expired", "missing", "no", "unknown", "unexpected", "unrecognized", "unsupported", "bad", "wrong", "illegal"}
}

// keys are words that make a secret of the word "key" behind them.
func keys() []string {
	return []string{
		"access", "api", "private", "account", "secret", "signing", "encryption", "encrypt", "master", "shared", "storage", "subscription",
		"admin", "consumer", "auth", "ssh", "functions", "client",
	}
}

// read says what a name says: DB_PASSWORD, spark.hadoop.fs.s3a.secret.key, keyStorePassword, X-Api-Key.
func read(text string) name {
	words := wordsOf(ownWords(text))
	at := -1 // the last word that means a secret
	for i, w := range words {
		if means(words, i, w) {
			at = i
		}
	}
	if at < 0 {
		return name{}
	}
	if forSpark(words) {
		return name{kind: elsewhere}
	}
	if points(words, at) {
		return name{}
	}
	n := name{kind: secret, store: slices.Contains(words, "redis"), last: at == len(words)-1, bare: len(words) == 1, word: words[at]}
	if words[at] == "cookie" || words[at] == "authorization" {
		if !n.last {
			return name{}
		}
		n.kind = header
	}
	return n
}

// points reports whether a name says where a secret is, not what it is.
func points(words []string, at int) bool {
	last := words[len(words)-1]
	if at+1 < len(words) && (slices.Contains(notSecret(), words[at+1]) || slices.Contains(notSecret(), last)) {
		return true
	}
	if at+2 >= len(words) || words[at+1] != "key" {
		return false
	}
	return words[at+2] == "ref" || words[at+2] == "selector"
}

// forSpark reports whether a name is one of Spark's for where a Secret is: spark.kubernetes.driver.secretKeyRef.ENV=secret:key
// and spark.kubernetes.driver.secrets.NAME=path (docs/running-on-kubernetes.md@v3.5.5).
func forSpark(words []string) bool {
	for i, w := range words {
		keyRef := w == "secret" && i+2 < len(words) && words[i+1] == "key" && words[i+2] == "ref"
		mounted := w == "secrets" && i > 0 && i+1 < len(words)
		if keyRef || mounted {
			return true
		}
	}
	return false
}

// means reports whether a word means a secret.
func means(words []string, i int, w string) bool {
	last := i == len(words)-1
	switch w {
	case "secrets": // a list of names of Secrets
		return false
	case "pass", "pwd", "jwt", "passcode", "creds", "cred", "signature", "cookie", "authorization":
		return last
	case "sas":
		return last || i > 0 && words[i-1] == "azure"
	case "sig":
		return last && len(words) == 1
	case "auth": // by itself of Docker; spark.redis.auth (spark-redis, doc/configuration.md)
		return last
	case "info": // basic.auth.user.info=user:password (Confluent, Schema Registry, "HTTP basic authentication")
		return i > 1 && words[i-1] == "user" && words[i-2] == "auth"
	case "key":
		return i > 0 && slices.Contains(keys(), words[i-1])
	case "token", "tokens":
		return true
	}
	for _, part := range []string{"secret", "password", "passwd", "passphrase", "credential", "apikey", "accesskey", "privatekey",
		"accountkey"} {
		if strings.Contains(w, part) {
			return true
		}
	}
	return strings.HasSuffix(w, "token")
}

// wordsOf splits a name at its dots, dashes and underscores, and where lower case turns to upper, into words in lower
// case. What counts versions of a name is left out: PASSWORD_2, password.v1.
func wordsOf(text string) []string {
	var out []string
	from := 0
	add := func(to int) {
		for to > from && text[to-1] >= '0' && text[to-1] <= '9' {
			to--
		}
		w := text[from:to]
		version := len(out) > 0 && (w == "v" || w == "V")
		if w != "" && !version {
			out = append(out, strings.ToLower(w))
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '.' || c == '-' || c == '_' || c == '$':
			add(i)
			from = i + 1
		case i > from && upper(c) && beginsWord(text, i):
			add(i)
			from = i
		}
	}
	add(len(text))
	return out
}

// beginsWord reports whether a capital begins a word: dbPassword, or AWSSecret behind an abbreviation.
func beginsWord(text string, at int) bool {
	return !upper(text[at-1]) || at+1 < len(text) && small(text[at+1])
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

func small(c byte) bool { return c >= 'a' && c <= 'z' }
