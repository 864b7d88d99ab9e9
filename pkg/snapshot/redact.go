package snapshot

import "regexp"

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// secretName is what names of settings with a secret value contain, as Spark's own spark.redaction.regex takes them
// (core/src/main/scala/org/apache/spark/internal/config/package.scala@v3.5.1: "(?i)secret|password|token|access[.]?key"),
// and a few more.
const secretName = `[\w.\-]*(?:secret|passw(?:or)?d|passphrase|token|access[._-]?key|api[._-]?key|private[._-]?key|account[._-]?key|credential|authorization)[\w.\-]*`

// value is a value in quotes, which are escaped where the text is itself in a string of JSON, or a word.
const value = `(?:\[redacted\]|"(?:[^"\\]|\\.)*"|\\"(?:[^"\\]|\\\\(?:\\.)?)*\\"|'[^']*'|[^\s"',;&)}\]\\]+)`

var (
	privateKey  = regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)`)
	webToken    = regexp.MustCompile(`\beyJ[\w-]{8,}(?:\.[\w-]*)*`)
	bearer      = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}`)
	userInfo    = regexp.MustCompile(`\b([A-Za-z][A-Za-z0-9+.-]*://)[^/\s?#"']*@`)
	accessKeyID = regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`)
	assigned    = regexp.MustCompile(`(?i)\b(` + secretName + `)(\s*=\s*)` + value)
	member      = regexp.MustCompile(`(?i)(\\*["']` + secretName + `\\*["']\s*:\s*)` + value)
	setting     = regexp.MustCompile(`(?i)\b((?:[\w-]+\.)+` + secretName + `|` + `\w*(?:passw(?:or)?d|token)\w*)(:\s*)` + value)
)

// Redact takes secrets out of a text that a cluster supplied: private keys, tokens, user and password of URLs, and values
// whose name says what they are. It takes out too much rather than too little.
func Redact(text string) string {
	text = privateKey.ReplaceAllString(text, Redacted)
	text = userInfo.ReplaceAllString(text, "${1}"+Redacted+"@")
	text = bearer.ReplaceAllString(text, "$1 "+Redacted)
	text = webToken.ReplaceAllString(text, Redacted)
	text = accessKeyID.ReplaceAllString(text, Redacted)
	text = assigned.ReplaceAllString(text, "$1$2"+Redacted)
	text = member.ReplaceAllString(text, "$1"+Redacted)
	return setting.ReplaceAllString(text, "$1$2"+Redacted)
}
