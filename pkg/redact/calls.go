package redact

import "strings"

// columns are functions whose arguments are names of columns, and what makes a column.
func columns() []string {
	return []string{
		"select", "drop", "dropduplicates", "groupby", "orderby", "sort", "agg", "join", "partitionby", "bucketby", "sortby", "structfield",
		"col", "column", "attribute", "attributereference", "isin", "in", "contains", "withcolumn", "withcolumnrenamed", "cube", "rollup", "todf",
		"struct", "concat", "coalesce", "array", "map", "named_struct", "values", "into", "subset", "by", "add", "field", "distinct", "having",
		"startswith", "endswith", "replace", "format", "equals",
	}
}

// paired reports whether a comma behind a word parts a name from its value: in a pair, ('K', 'V') or (K,V), in a call that takes both,
// set("K", "V"), or in a list of two of which the first is a setting, ["spark.K", "V"].
func (s *scanner) paired(word span, quoted bool, at int) bool {
	open := s.opening(word, quoted)
	switch {
	case open == before && quoted: // the bracket is on a line before
		from := s.space(at + 1)
		s.reached = s.reached || from == len(s.text)
		if !s.opensQuote(from) {
			return false
		}
		end, _ := s.unquoted(s.quoted(from, s.slashes(from)).to)
		return s.at(s.space(end)) == ')'
	case open < 0:
		return false
	case s.text[open] == '[':
		return quoted && strings.Contains(s.text[word.from:word.to], ".")
	}
	function := s.lower[s.nameBefore(open):open]
	function = function[strings.LastIndexByte(function, '.')+1:]
	for _, one := range columns() {
		if function == one {
			return false
		}
	}
	return quoted || function == "" || isSetting(s.text[word.from:word.to])
}

// before is where a bracket is of which only what is behind it is seen.
const before = -2

// opening returns where the bracket is behind which a word begins, in quotes or not; -1 if something else stands before it.
func (s *scanner) opening(word span, quoted bool) int {
	i := word.from - 1
	if quoted {
		for ; quote(s.at(i)); i-- {
		}
		for ; s.at(i) == '\\'; i-- {
		}
		if strings.IndexByte("burf", s.at(i)) >= 0 && !nameByte(rune(s.at(i-1))) {
			i--
		}
		i = s.blanksBefore(i)
	}
	if i < 0 {
		return before
	}
	if c := s.at(i); c != '(' && c != '[' {
		return -1
	}
	return i
}

// reach is how far around a word something is looked for that belongs to it.
const reach = 256

// blanksBefore returns the offset of what stands before blanks.
func (s *scanner) blanksBefore(i int) int {
	for least := i - reach; i > least && strings.IndexByte(" \t\r\n", s.at(i)) >= 0; i-- {
		s.meter.looked(1)
	}
	return i
}

// nameBefore returns where the name begins that ends at an offset.
func (s *scanner) nameBefore(end int) int {
	i := end
	for least := end - reach; i > max(0, least) && nameByte(rune(s.text[i-1])); i-- {
		s.meter.looked(1)
	}
	return i
}

// isSetting reports whether a name is one of Spark's or Hadoop's settings.
func isSetting(text string) bool {
	return strings.HasPrefix(text, "spark.") || strings.HasPrefix(text, "fs.")
}

// subscript reports whether a word is the whole of a subscript: os.environ["K"], conf[K].
func (s *scanner) subscript(word span, quoted bool, at int) bool {
	if s.at(at) != ']' {
		return false
	}
	open := s.opening(word, quoted)
	return open > 0 && s.text[open] == '[' && nameByte(rune(s.at(open-1)))
}

// statement returns where the value begins that follows a name in quotes, without a separator, as in SQL: PASSWORD 'V', OPTIONS (url 'x',
// sfPassword 'V'), and as the only argument of a call: setPassword("V"). Others than passwords stand there in prose: secret 'db' not found.
func (s *scanner) statement(word span, n name) (at int, is bool) {
	at, quoted := s.unquoted(word.to)
	from := at
	if at = s.space(at); at == len(s.text) && !quoted && passwordLike(n.word) {
		s.reached = true
	}
	if !n.last {
		return 0, false
	}
	if at == from {
		call := s.at(at) == '(' && s.opensQuote(at+1) && !quoted
		words := wordsOf(s.text[word.from:word.to])
		sets := words[0] == "set" || words[0] == "with"
		password := n.bare && passwordLike(n.word)
		return at + 1, call && (sets || password)
	}
	if !s.opensQuote(at) {
		return 0, false
	}
	if passwordLike(n.word) && !quoted {
		return at, true
	}
	ahead := word.from - 1
	if quoted {
		for ; quote(s.at(ahead)) || s.at(ahead) == '\\'; ahead-- {
		}
	}
	if c := s.at(s.blanksBefore(ahead)); c != '(' && c != ',' {
		return 0, false
	}
	v := s.quoted(at, s.slashes(at))
	end, _ := s.unquoted(v.to)
	c := s.at(s.space(end))
	return at, c == ',' || c == ')' || c == 0
}

// passwordLike reports whether a word is one for a password.
func passwordLike(word string) bool { return strings.HasPrefix(word, "pass") || word == "pwd" }

func (s *scanner) endsLine(at int) bool {
	return at == len(s.text) || s.text[at] == '\n' || s.text[at] == '\r'
}

// space returns the offset behind blanks and line breaks, of which one may be escaped: \ at the end of a line goes on with the next.
func (s *scanner) space(i int) int {
	for ; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == ' ', c == '\t', c == '\r', c == '\n':
		case c == '\\' && s.endsLine(i+1):
		default:
			return i
		}
		s.meter.looked(1)
	}
	return i
}
