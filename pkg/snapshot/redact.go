package snapshot

import (
	"regexp"
	"strings"
)

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
	userInfo    = regexp.MustCompile(`((?:\b[A-Za-z][A-Za-z0-9+.-]*)?://)[^/\s?#"']*@`)
	accessKeyID = regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`)
	assigned    = regexp.MustCompile(`(?i)\b(` + secretName + `)(\s*=\s*)` + value)
	member      = regexp.MustCompile(`(?i)(\\*["']` + secretName + `\\*["'])(\s*:\s*)` + value)
	setting     = regexp.MustCompile(`(?i)\b((?:[\w-]+\.)+` + secretName + `|` + `\w*(?:passw(?:or)?d|token)\w*)(:\s*)` + value)
)

// reference is how names end of settings that say where a secret is, or of what kind, not what it is.
var reference = regexp.MustCompile(`(?i)(?:names?|namespace|path|file|dir|ref|type|class|provider|enabled?)$`)

// hide replaces the value in what a pattern finds, unless its name, the first group, is a reference.
func hide(pattern *regexp.Regexp, text string) string {
	return pattern.ReplaceAllStringFunc(text, func(found string) string {
		name := pattern.FindStringSubmatch(found)[1]
		if reference.MatchString(strings.TrimRight(name, "\\\"': \t\n")) {
			return found
		}
		return pattern.ReplaceAllString(found, "${1}${2}"+Redacted)
	})
}

// Redact takes secrets out of a text that a cluster supplied: private keys, tokens, user and password of URLs, and values
// whose name says what they are. It takes out too much rather than too little.
func Redact(text string) string {
	text = privateKey.ReplaceAllString(text, Redacted)
	text = userInfo.ReplaceAllString(text, "${1}"+Redacted+"@")
	text = bearer.ReplaceAllString(text, "$1 "+Redacted)
	text = webToken.ReplaceAllString(text, Redacted)
	text = accessKeyID.ReplaceAllString(text, Redacted)
	text = hide(assigned, text)
	text = hide(member, text)
	return hide(setting, text)
}

// excerpt returns the beginning of a text without secrets. A secret that is cut in half could not be told from other
// text, so that more is looked at than is kept.
func excerpt[T ~string | ~[]byte](text T, keep int) string {
	if len(text) == 0 {
		return ""
	}
	window := min(len(text), 4*keep)
	out := Redact(strings.ToValidUTF8(string(text[:window]), ""))
	if window < len(text) && len(out) <= keep {
		out = out[:len(out)/2] // all but little was secrets, and the last one may have lost its end
	}
	if len(out) <= keep {
		return strings.ToValidUTF8(out, "")
	}
	return Redact(strings.ToValidUTF8(out[:keep], "")) // the mark of a secret may be cut
}

// secretFlag is a flag whose value is a secret and follows as an argument of its own.
var secretFlag = regexp.MustCompile(`(?i)^--?` + secretName + `$`)

// redactArgs takes secrets out of arguments of a program.
func redactArgs(args []string) []string {
	for i := range args {
		args[i] = Redact(args[i])
		if i > 0 && secretFlag.MatchString(args[i-1]) && !reference.MatchString(args[i-1]) && !strings.HasPrefix(args[i], "-") {
			args[i] = Redacted
		}
	}
	return args
}
