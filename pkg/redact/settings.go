package redact

import (
	"slices"
	"strings"
)

// given are settings of which a user names the rest. The rest may be any word, also one that says where a secret is: an account called
// "files" (hadoop-azure, abfs.html; hadoop-aws, index.html, "Configuring different S3 buckets").
func given() []struct {
	prefix string
	unless []string // what the next part may be: then the name is another setting
} {
	return []struct {
		prefix string
		unless []string
	}{
		{prefix: "fs.azure.account.key"},
		{prefix: "fs.azure.account.oauth2.client.secret"},
		{prefix: "fs.azure.account.oauth2.user.password"},
		{prefix: "fs.azure.account.oauth2.refresh.token", unless: []string{"endpoint"}},
		{prefix: "fs.azure.sas", unless: []string{"token", "fixed", "expiry"}},
		{prefix: "fs.azure.sas.fixed.token"},
	}
}

// ownWords returns the part of a name that its program gave it, not a user. A bucket and a catalog stand inside of the name.
func ownWords(text string) string {
	for _, prefix := range [...]string{"fs.s3a.bucket.", "spark.sql.catalog."} {
		if i := strings.Index(text, prefix); i >= 0 {
			i += len(prefix)
			if _, option, is := strings.Cut(text[i:], "."); is {
				return text[:i] + option
			}
			return text
		}
	}
	i := strings.Index(text, "fs.azure.")
	if i < 0 {
		return text
	}
	for _, g := range given() {
		rest, is := strings.CutPrefix(text[i:], g.prefix+".")
		if !is {
			continue
		}
		next, _, _ := strings.Cut(rest, ".")
		if !slices.Contains(g.unless, next) {
			return text[:i+len(g.prefix)]
		}
	}
	return text
}
