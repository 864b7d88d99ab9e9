package redact

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// finder looks for the tokens of a pattern. Where each begins with one of the words, it is looked for there and no further than it can
// reach: a line of megabytes may consist of the words of all patterns. Other patterns go over the line.
type finder struct {
	line   *regexp.Regexp // of the whole line; nil: there is one of the others
	first  *regexp.Regexp // of a token with which the line begins
	within *regexp.Regexp // of a token behind another character, which a word boundary looks at
	reach  int            // bytes of the longest token; unlimited: the end of the line
}

func newFinder(p pattern) finder {
	tree, err := syntax.Parse(p.text, syntax.Perl)
	if reach := extent(tree); err == nil && reach != endless && begins(tree, p.words) {
		return finder{first: regexp.MustCompile(`\A(?:` + p.text + `)`), within: regexp.MustCompile(`\A(?s:.)(?:` + p.text + `)`), reach: reach}
	}
	return finder{line: regexp.MustCompile(p.text)}
}

// at returns the secret of the token that begins at an offset of a line.
func (f *finder) at(text string, line span, at int) (span, bool) {
	if f.reach < unlimited {
		line.to = min(line.to, at+f.reach+utf8.UTFMax) // behind which no token can end, as if that were the end of the line
	}
	regex := f.within
	if at == line.from {
		regex = f.first
	} else {
		at--
	}
	m := regex.FindStringSubmatchIndex(text[at:line.to])
	if m == nil {
		return span{}, false
	}
	secret := secretOf(m)
	if regex == f.within && secret.from == 0 {
		secret.from = 1
	}
	return span{at + secret.from, at + secret.to}, true
}

// How far a pattern reaches, beside a number of bytes.
const (
	unlimited = 1 << 20 // any number of characters at its end, whatever follows: what is read is the token
	endless   = 1 << 40 // any number of characters, and then it may not be a token
)

// extent returns how many bytes of a line are looked at until it is known whether a token begins there.
func extent(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return utf8.UTFMax * len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		if re.Op == syntax.OpCharClass && re.Rune[len(re.Rune)-1] < utf8.RuneSelf {
			return 1
		}
		return utf8.UTFMax
	case syntax.OpStar, syntax.OpPlus:
		return unlimited
	case syntax.OpRepeat:
		if re.Max < 0 {
			return unlimited
		}
		return times(re.Max, extent(re.Sub[0]))
	case syntax.OpQuest, syntax.OpCapture:
		return extent(re.Sub[0])
	case syntax.OpConcat:
		sum := 0
		for _, sub := range re.Sub {
			if sum >= unlimited && !optional(sub) {
				return endless
			}
			sum = min(endless, sum+extent(sub))
		}
		return sum
	case syntax.OpAlternate:
		most := 0
		for _, sub := range re.Sub {
			most = max(most, extent(sub))
		}
		return most
	default:
		return 0
	}
}

func times(n, each int) int {
	if each >= unlimited {
		return endless
	}
	return n * each
}

// optional reports whether an expression matches nothing, too, wherever it stands.
func optional(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpStar, syntax.OpQuest, syntax.OpEmptyMatch:
		return true
	case syntax.OpRepeat:
		return re.Min == 0
	case syntax.OpCapture:
		return optional(re.Sub[0])
	default:
		return false
	}
}

// begins reports whether each token begins with one of some words.
func begins(re *syntax.Regexp, words []string) bool {
	heads, _ := headsOf(re)
	for _, head := range heads {
		found := false
		for _, w := range words {
			found = found || strings.HasPrefix(strings.ToLower(head), w)
		}
		if !found {
			return false
		}
	}
	return true
}

// mostHeads is how many beginnings a pattern may have; one that has more is searched for in the whole line.
const mostHeads = 64

// headsOf returns the texts with which what an expression matches begins, and whether they are all of it.
func headsOf(re *syntax.Regexp) (heads []string, whole bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}, true
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpBeginLine, syntax.OpBeginText:
		return []string{""}, true
	case syntax.OpCapture:
		return headsOf(re.Sub[0])
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if heads = append(heads, string(r)); len(heads) > mostHeads {
					return []string{""}, false
				}
			}
		}
		return heads, true
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			more, all := headsOf(sub)
			heads, whole = append(heads, more...), whole && all
		}
		return heads, whole
	case syntax.OpConcat:
		heads, whole = []string{""}, true
		for _, sub := range re.Sub {
			next, all := headsOf(sub)
			if len(heads)*len(next) > mostHeads {
				return heads, false
			}
			var joined []string
			for _, head := range heads {
				for _, more := range next {
					joined = append(joined, head+more)
				}
			}
			if heads, whole = joined, all; !all {
				break
			}
		}
		return heads, whole
	default:
		return []string{""}, false
	}
}
