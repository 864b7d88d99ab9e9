package redact

import "strings"

// What is known of the text of a private key (RFC 7468; RFC 1421 for its headers).
const (
	keyWords   = "PRIVATE KEY"
	longestKey = 16 << 10 // from its beginning to its end: one of 8192 bits has 6.4 KiB
	fullLine   = 32       // so many characters of base64 on a line are no word
	wordLength = 16
	labelBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
)

// marker is what a private key begins or ends with.
type marker struct {
	span
	begins bool
}

// markers finds them all.
func markers(text string) []marker {
	var out []marker
	for at := 0; ; {
		i := strings.Index(text[at:], keyWords)
		if i < 0 {
			return out
		}
		from, to := at+i, at+i+len(keyWords)
		at = to
		rest := strings.TrimPrefix(text[to:], " BLOCK")
		if !strings.HasPrefix(rest, "-----") {
			continue
		}
		to = len(text) - len(rest) + len("-----")
		head := strings.TrimRight(text[max(0, from-fullLine):from], labelBytes)
		label := text[max(0, from-fullLine)+len(head) : from]
		begins := strings.HasPrefix(label, "BEGIN ")
		if strings.HasSuffix(head, "-----") && (begins || strings.HasPrefix(label, "END ")) {
			out = append(out, marker{span{from - len(label) - len("-----"), to}, begins})
		}
	}
}

// privateKeys finds them, also such as lost their beginning or their end, or have lines of others in between. A sentence about how a key
// begins is none.
func privateKeys(text string) []span {
	var out []span
	list := markers(text)
	for i, m := range list {
		switch {
		case m.begins && i+1 < len(list) && !list[i+1].begins && list[i+1].from-m.to <= longestKey:
			out = append(out, partsOfKey(text, m.span, list[i+1].span)...)
		case m.begins:
			end := len(text)
			if i+1 < len(list) {
				end = list[i+1].from
			}
			if to, _ := keyBehind(text, m.span, end); to > m.to {
				out = append(out, span{m.from, to})
			}
		case i == 0 || !list[i-1].begins || m.from-list[i-1].to > longestKey:
			least := max(0, m.from-longestKey)
			if i > 0 {
				least = max(least, list[i-1].to)
			}
			if from := keyBefore(text, m.span, least); from < m.from {
				out = append(out, span{from, m.to})
			}
		}
	}
	return out
}

// partsOfKey finds a key that has both: all of it, or the parts that other lines leave of it.
func partsOfKey(text string, begin, end span) []span {
	to, whole := keyBehind(text, begin, end.from)
	if whole {
		return []span{{begin.from, end.to}}
	}
	var out []span
	if to > begin.to {
		out = append(out, span{begin.from, to})
	}
	for at := to; at < end.from; {
		line := lineAt(text, at)
		at = line.to + 1
		if words := strings.Fields(text[line.from:min(line.to, end.from)]); len(words) > 0 {
			if last := words[len(words)-1]; len(last) >= fullLine && material(last) > 0 {
				from := line.from + strings.LastIndex(text[line.from:line.to], last)
				out = append(out, span{from, from + len(last)})
			}
		}
	}
	if from := keyBefore(text, end, to); from < end.from {
		out = append(out, span{from, end.to})
	}
	return out
}

// keyBehind returns where the key ends that goes on behind its beginning, at most at an offset, and whether it ends there.
func keyBehind(text string, begin span, most int) (to int, whole bool) {
	lead := text[max(0, begin.from-reach):begin.from]
	prefix := len(strings.Fields(lead[strings.LastIndexByte(lead, '\n')+1:]))
	to, is := joinedKey(text, begin.to, lineEnd(text, begin.to, most))
	if !is {
		return begin.to, false
	}
	width := 0
	for at := lineEnd(text, begin.to, most) + 1; at < most; {
		line := span{at, lineEnd(text, at, most)}
		at = line.to + 1
		words := strings.Fields(text[line.from:line.to])
		size := 0
		if n := len(words); n == 1 || n > 0 && n == prefix+1 {
			size = material(words[n-1])
		}
		header := len(words) == 0 || strings.Contains(text[line.from:line.to], ": ") && len(words) <= prefix+3
		switch {
		case size == 0 && width == 0 && header:
			continue
		case size == 0 && len(words) > prefix, width > 0 && size > width:
			return to, false
		case size > 0:
			to = line.to
			width = max(width, size)
		}
		if size < width && at < most { // the last line of a key
			rest := strings.TrimSpace(text[at:most])
			return to, len(strings.Fields(rest)) <= prefix && !strings.Contains(rest, "\n")
		}
	}
	return to, to > begin.to
}

// joinedKey returns where a key ends that stands behind its beginning without line breaks; that the line is empty leaves it open.
func joinedKey(text string, from, to int) (end int, is bool) {
	words := strings.Fields(text[from:to])
	longest := 0
	for _, word := range words {
		size := material(word)
		if size == 0 {
			return from, false
		}
		longest = max(longest, size)
	}
	if len(words) == 0 {
		return from, true
	}
	return to, longest >= wordLength
}

// lineEnd returns the end of the line at an offset, at most another one.
func lineEnd(text string, at, most int) int {
	if i := strings.IndexByte(text[at:most], '\n'); i >= 0 {
		return at + i
	}
	return most
}

// keyBefore returns where the key begins that goes up to its end, at the least at an offset.
func keyBefore(text string, end span, least int) int {
	from := end.from
	line := span{max(least, strings.LastIndexByte(text[:end.from], '\n')+1), end.from}
	words := strings.Fields(text[line.from:line.to])
	for ; len(words) > 0; words = words[:len(words)-1] { // of a key without line breaks
		last := words[len(words)-1]
		if size := material(last); size < wordLength && (size == 0 || from < end.from) {
			break
		}
		from = line.from + strings.LastIndex(text[line.from:from], last)
	}
	if from < end.from {
		return from
	}
	prefix := len(words)
	for line.from > least {
		line.to = line.from - 1
		line.from = max(least, strings.LastIndexByte(text[:line.to], '\n')+1)
		words := strings.Fields(text[line.from:line.to])
		if n := len(words); n != 1 && n != prefix+1 {
			break
		}
		last := words[len(words)-1]
		if size := material(last); size == 0 || size < fullLine && from < end.from {
			break
		}
		from = line.from + strings.LastIndex(text[line.from:line.to], last)
	}
	return from
}

// material returns how many characters of base64 a word has, in quotes or not; 0 if it is another word.
func material(word string) int {
	word = strings.Trim(word, "\"'+,;\\")
	for i := range len(word) {
		c := word[i]
		named := nameByte(rune(c)) && c != '.' && c != '$'
		if !named && strings.IndexByte("+/=", c) < 0 {
			return 0
		}
	}
	if len(word) < wordLength && len(word) > 2 && wordLike(word) {
		return 0
	}
	return len(word)
}

// wordLike reports whether a word is one of a sentence: small letters, of which the first may be a capital.
func wordLike(word string) bool {
	if word == "" || !upper(word[0]) && !small(word[0]) {
		return false
	}
	return strings.Trim(word[1:], "abcdefghijklmnopqrstuvwxyz") == ""
}
