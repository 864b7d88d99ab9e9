package redact

import (
	"path"
	"slices"
	"strings"
)

// absent reports whether a value without quotes is the first word of what is said about it: API_TOKEN: not set.
func (s *scanner) absent(v span) bool {
	if quote(s.at(v.from - 1)) {
		return false
	}
	said := s.lower[v.from:min(len(s.lower), v.from+longestProse)]
	if i := strings.IndexAny(said, "\r\n"); i >= 0 {
		said = said[:i]
	}
	first, more, _ := strings.Cut(strings.TrimRight(said, " \t"), " ")
	switch strings.TrimRight(first, ".,;)") {
	case "missing", "unset", "undefined", "absent", "empty", "required", "expired", "invalid", "(unset)", "(none)", "(empty)", "<empty>",
		"n/a", "found", "provided", "present":
		return true
	case "not", "no", "is", "was", "are", "must", "cannot", "can't", "could", "should", "has", "isn't":
		return more != ""
	}
	return false
}

// isFile reports whether a name is one of a file: db-secret.yaml.
func isFile(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".json", ".gz", ".tgz", ".log", ".txt", ".py", ".jar", ".sh", ".sql", ".go", ".java", ".scala", ".xml", ".csv":
		return true
	}
	return false
}

// longestPath is the length of the longest name of an object in S3, of a file on Linux it is less.
const longestPath = 1024

// partition reports whether a pair is a folder of a table, which is named by a column and its value: …/api_key=prod/part-00000-….parquet
// (Spark, sql-data-sources-parquet.md, "Partition Discovery").
func (s *scanner) partition(word span, sep separator, v span) bool {
	if sep != equals || s.at(word.to) != '=' || v.from != word.to+1 {
		return false
	}
	value := s.text[v.from:min(v.to, v.from+longestPath)]
	_, below, deeper := strings.Cut(value, "/")
	last := path.Base(below)
	if deeper && (strings.HasPrefix(last, "part-") || slices.Contains([]string{".parquet", ".orc", ".avro", ".crc"}, path.Ext(last))) {
		return true
	}
	if s.at(word.from-1) != '/' {
		return false
	}
	from := s.pathBefore(word.from)
	scheme, rest, is := strings.Cut(s.lower[from:word.from], "://")
	ofFiles := is && !strings.HasPrefix(scheme, "http") && !strings.HasPrefix(scheme, "jdbc:")
	return s.at(from) == '/' || ofFiles && !strings.ContainsAny(rest, "?;")
}

// pathBefore returns where the path begins that goes on at an offset.
func (s *scanner) pathBefore(at int) int {
	i := at
	for least := max(0, at-reach); i > least && strings.IndexByte(" \t\r\n\"'`,()[]<>", s.text[i-1]) < 0; i-- {
		s.meter.looked(1)
	}
	return i
}
