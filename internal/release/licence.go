package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// licenceFile matches what a module calls the file with its licence, and the NOTICE that Apache-2.0 has one pass on.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)([-.].*)?$`)

// licence is the file of a module that holds one.
type licence struct {
	file    string
	text    []byte
	ids     []string // SPDX, sorted
	problem string   // why a program with this module must not be handed on, or empty
}

// allowed are the licences that ask for no more than a notice; another one is for people to decide.
func allowed() []string {
	return []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}
}

// known is the share of a text, in percent, that must be some licence's: the rest is names and years.
const known = 75

// classify says what a text is.
func classify(file string, text []byte) licence {
	l := licence{file: file, text: text}
	if strings.HasPrefix(strings.ToLower(file), "notice") {
		return l
	}
	cover := licensecheck.Scan(text)
	for _, m := range cover.Match {
		if !m.IsURL {
			l.ids = append(l.ids, m.ID)
		}
	}
	slices.Sort(l.ids)
	l.ids = slices.Compact(l.ids)
	for _, id := range l.ids {
		if !slices.Contains(allowed(), id) {
			l.problem = fmt.Sprintf("%s is not among the licences that are allowed", id)
		}
	}
	if cover.Percent < known && l.problem == "" {
		l.problem = fmt.Sprintf("%s: only %.0f%% is the text of a known licence", file, cover.Percent)
	}
	return l
}

// expression is the SPDX expression of a module: every licence that it brings counts.
func (m module) expression() string {
	var ids []string
	for _, l := range m.licences {
		ids = append(ids, l.ids...)
	}
	if len(ids) == 0 {
		return "NOASSERTION"
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), " AND ")
}

// inventory prints the modules with their licences, and fails if one may not be shipped.
func inventory(w io.Writer, modules []module) error {
	var failure error
	for _, m := range modules {
		if _, err := fmt.Fprintf(w, "%-24s %s %s\n", m.expression(), m.Path, m.Version); err != nil {
			return err
		}
		if m.expression() == "NOASSERTION" {
			failure = errors.Join(failure, fmt.Errorf("%s has no licence that is known", m.Path))
		}
		for _, l := range m.licences {
			if l.problem != "" {
				failure = errors.Join(failure, fmt.Errorf("%s: %s", m.Path, l.problem))
			}
		}
	}
	return failure
}

// notices are the texts, each once, with the modules they came with.
func notices(modules []module) []byte {
	var order []string
	from := map[string][]string{}
	for _, m := range modules {
		for _, l := range m.licences {
			text := string(l.text)
			if from[text] == nil {
				order = append(order, text)
			}
			from[text] = append(from[text], m.Path+" "+m.Version)
		}
	}
	var b bytes.Buffer
	b.WriteString("kubectl-sparkdoctor contains these modules, under these terms.\n")
	for _, text := range order {
		fmt.Fprintf(&b, "\n%s\n\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(from[text], "\n"), strings.TrimSpace(text))
	}
	return b.Bytes()
}
