package redact

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// pattern describes tokens that can be told by themselves: they are looked for in the lines that hold one of the words,
// which are in lower case. A secret is the first group that matches, else all of it.
type pattern struct {
	words []string
	text  string
}

// shortestToken is the length of the shortest token that a pattern describes.
const shortestToken = 12

// ours returns patterns for what gitleaks does not have, has only for files, or knows only at full length: a kubelet cuts
// messages at 4,096 bytes and an event at 1,024, and half a token is still half a secret.
func ours() []pattern {
	return []pattern{
		{[]string{"eyj"}, `\b(eyJ[\w+/-]{8,}={0,2}(?:\.[\w+/=-]*)*)`}, // JSON in base64: web tokens, .dockerconfigjson
		{[]string{"akia", "asia", "abia", "acca"}, `\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}\b`},
		{[]string{"gh"}, `\bgh[pousr]_[A-Za-z0-9]{8,}`},
		{[]string{"github_pat_"}, `\bgithub_pat_\w{8,}`},
		{[]string{"glpat-"}, `\bglpat-[\w-]{8,}`},
		{[]string{"xox", "xapp-"}, `\b(?:xox[a-z]|xapp)-[\w-]{8,}`},
		{[]string{"hf_"}, `\bhf_[A-Za-z0-9]{16,}`},
		{[]string{"aiza"}, `\bAIza[\w-]{16,}`},
		{[]string{"ya29."}, `\bya29\.[\w-]{8,}`},
		{[]string{"dapi"}, `\bdapi[0-9a-f]{16,}(?:-\d)?`},
		{[]string{"sk-"}, `\bsk-(?:proj|ant|svcacct|admin)-[\w-]{8,}`},
		{[]string{"hvs."}, `\bhvs\.[\w-]{16,}`},
		{[]string{"atatt3"}, `\bATATT3[\w=-]{16,}`},
		{[]string{"://"}, `://([^/\s?#"'@]*:[^/\s?#"']*)@`}, // user and password, which may hold an @
		// An access key of AWS may hold a slash; digits before it are a port.
		{[]string{"://"}, `://([^/\s?#"'@:\[]*:\d*[^\d\s"'/@][^\s"']*)@`},
		{[]string{"thin:", "oci:", "oci8:"}, `(?i)\b(?:thin|oci8?):[^/\s@"']*/("[^"\s]*"|[^@\s"']+)@`}, // Oracle's JDBC drivers
		{[]string{"sqlplus"}, `(?i)\bsqlplus\s(?:.*\s)?[\w$]+/("[^"\s]*"|[^@\s"']+)`},
		{[]string{"curl", "wget"}, `(?i)\b(?:curl|wget)\b.*?\s(?:-u\s*|--(?:proxy-)?user[\s=]\s*)["']?[^\s:"']*:([^\s"']+)`},
		{[]string{"bearer", "basic"}, `\b(?i:bearer|basic)\s+([\w.~+/-]{4,}\d[\w.~+/-]*={0,2}|[\w.~+/-]*\d[\w.~+/-]{4,}={0,2}|[\w.~+/-]*[a-z][A-Z][\w.~+/-]*={0,2})`},
		{[]string{"password for"}, `(?i)\bset\s+password\s+for\s+\S+\s*=\s*(?:password\s*\(\s*)?["']([^"']+)`},
		{[]string{"identified by"}, `(?i)\bidentified\s+by\s+(?:password\s+)?["']?([^\s"';]+)`},
	}
}

// index finds which patterns are worth a look: those one of whose words is in a text.
type index struct {
	finders []func() finder // each is compiled when it is first needed
	words   [][]word        // alike in their first two bytes
	byStart [1 << 16]uint16 // by these, which of words; 0: none
}

type word struct {
	text    string
	pattern int
	apart   bool // it stands behind no letter and no digit, or is part of another word: oc of a block
}

var patterns = sync.OnceValue(func() *index { //nolint:gochecknoglobals // made once, never changed
	x := &index{words: make([][]word, 1)}
	for n, p := range slices.Concat(ours(), ofCommands(), gitleaks()) {
		x.finders = append(x.finders, sync.OnceValue(func() finder { return newFinder(p) }))
		for _, w := range p.words {
			at := &x.byStart[int(w[0])<<8|int(w[1])]
			if *at == 0 {
				*at, x.words = uint16(len(x.words)), append(x.words, nil) //nolint:gosec // a few hundred
			}
			x.words[*at] = append(x.words[*at], word{w, n, strings.HasPrefix(p.text, beforeCommand)})
		}
	}
	return x
})

// tokens finds what can be told by itself. A pattern looks once at a line, or at each of its words that no token before it holds. Where
// they may look no further, the rest of a line that holds one of their words is taken for a token.
func tokens(text, lower string, m *meter) []span {
	found := blocks(text)
	if len(text) < shortestToken && !strings.Contains(text, "://") {
		return found
	}
	x := patterns()
	seen := map[int]int{} // the end of the last line at which a pattern has looked
	line, last := span{0, -1}, span{}
	for i := 0; i+1 < len(lower); i++ {
		for _, w := range x.words[x.byStart[int(lower[i])<<8|int(lower[i+1])]] {
			if i < seen[w.pattern] || !w.at(lower, i) {
				continue
			}
			if i > line.to {
				line = lineAt(text, i)
			}
			if m.patternsMayNot() {
				found, i = append(found, span{i, line.to}), line.to
				break
			}
			f := x.finders[w.pattern]()
			if f.line != nil {
				m.patternLooked(line.to - line.from)
				found, seen[w.pattern] = append(found, matches(f.line, text, line)...), line.to
				continue
			}
			if i > last.from && i < last.to {
				continue
			}
			m.patternLooked(min(f.reach, leastLook))
			if secret, is := f.at(text, line, i); is {
				m.patternLooked(secret.to - secret.from)
				found, last = append(found, secret), span{min(i, secret.from), max(last.to, secret.to)}
			}
		}
	}
	return append(found, users(text)...)
}

// leastLook is what a look at one place costs, in bytes.
const leastLook = 64

// at reports whether a text in lower case has the word at an offset.
func (w word) at(lower string, at int) bool {
	if !strings.HasPrefix(lower[at:], w.text) {
		return false
	}
	return !w.apart || at == 0 || !letterOrDigit(lower[at-1]) || escaped(lower[:at])
}

func letterOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// escaped reports whether a text ends with a blank as a string of JSON has it.
func escaped(text string) bool {
	return strings.HasSuffix(text, `\n`) || strings.HasSuffix(text, `\r`) || strings.HasSuffix(text, `\t`)
}

// lineAt returns the line around an offset.
func lineAt(text string, at int) span {
	out := span{strings.LastIndexByte(text[:at], '\n') + 1, len(text)}
	if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
		out.to = at + end
	}
	return out
}

func matches(regex *regexp.Regexp, text string, in span) []span {
	var out []span
	for _, m := range regex.FindAllStringSubmatchIndex(text[in.from:in.to], -1) {
		secret := secretOf(m)
		out = append(out, span{in.from + secret.from, in.from + secret.to})
	}
	return out
}

// secretOf returns the first group that matches, else all of it.
func secretOf(match []int) span {
	for i := 2; i < len(match); i += 2 {
		if match[i] >= 0 {
			return span{match[i], match[i+1]}
		}
	}
	return span{match[0], match[1]}
}

// encodedKey is how "-----BEGIN " begins in base64.
const encodedKey = "LS0tLS1CRUdJTi"

// blocks finds private keys in PEM, also such as lost their end, and in base64. Certificates are no secret.
func blocks(text string) []span {
	out := privateKeys(text)
	for at := 0; ; {
		i := strings.Index(text[at:], encodedKey)
		if i < 0 {
			return out
		}
		from := at + i
		at = from + len(text[from:]) - len(strings.TrimLeft(text[from:], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
		head := text[from:min(at, from+64)]
		if plain, err := base64.StdEncoding.DecodeString(head[:len(head)/4*4]); err != nil || strings.Contains(string(plain), "PRIVATE") {
			out = append(out, span{from, at})
		}
	}
}

// users finds a user without a password in a URL, which is where tokens stand: https://TOKEN@github.com. In the URLs of
// Azure's storage the name of a container stands there (hadoop-azure, abfs.html: abfs[s]://container@account…), in those
// of git and ssh a user, in those of a credential store the scheme that it lies on (CredentialProviderAPI.html), in those of Spark the name
// of an endpoint (core/src/main/scala/org/apache/spark/rpc/RpcEndpointAddress.scala@v3.5.5).
func users(text string) []span {
	var out []span
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return out
		}
		from := at + i + len("://")
		at = from
		rest := text[from:]
		if end := strings.IndexAny(rest, "/ \t\r\n?#\"'"); end >= 0 {
			rest = rest[:end]
		}
		user := strings.LastIndexByte(rest, '@')
		if user < 0 || rest[:user] == "git" || strings.Contains(rest[:user], ":") {
			continue
		}
		switch scheme := lastWord(text[:from-len("://")]); strings.ToLower(scheme) {
		case "abfs", "abfss", "wasb", "wasbs", "ssh", "jceks", "spark", "akka.tcp":
		default:
			out = append(out, span{from, from + user})
		}
	}
}

func lastWord(text string) string {
	return text[strings.LastIndexFunc(text, func(r rune) bool { return !nameByte(r) })+1:]
}
