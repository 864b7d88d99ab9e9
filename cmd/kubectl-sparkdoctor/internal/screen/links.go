package screen

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// Links reports whether a text may hold hyperlinks (OSC 8). No terminal can be asked: those that are known to show them say who they are.
// FORCE_HYPERLINK decides for all of them, as for other programs (supports-hyperlinks@06e81c5f6211, index.js); colors are what a text
// without any escapes, which NO_COLOR asks for, lacks as well.
func Links(w io.Writer, colors bool) bool {
	if forced, is := forcedLinks(os.LookupEnv); is {
		return forced
	}
	file := FileOf(w)
	return colors && file != nil && term.IsTerminal(int(file.Fd())) && showsLinks(os.Getenv)
}

// forcedLinks is what FORCE_HYPERLINK asks for: 0 for none.
func forcedLinks(lookup func(string) (string, bool)) (links, is bool) {
	value, is := lookup("FORCE_HYPERLINK")
	n, err := strconv.Atoi(value)
	return is && (err != nil || n != 0), is
}

// vteShows is the first version of VTE that shows links without a crash: that of 0.50.0 is known (supports-hyperlinks@06e81c5f6211).
const vteShows = 5001

// showsLinks reports whether the terminal is known to show links. What runs inside of another program, such as tmux, sees the variables
// of the terminal around it, and its own TERM.
func showsLinks(env func(string) string) bool {
	for _, other := range []string{"dumb", "linux", "screen", "tmux"} {
		if strings.HasPrefix(env("TERM"), other) {
			return false
		}
	}
	version, err := strconv.Atoi(env("VTE_VERSION"))
	return slices.Contains([]string{"iTerm.app", "WezTerm", "vscode", "ghostty"}, env("TERM_PROGRAM")) ||
		err == nil && version >= vteShows ||
		env("KITTY_WINDOW_ID") != "" || env("WT_SESSION") != "" || env("DOMTERM") != ""
}

// withoutLinks leaves the text of links: less shows their escapes since 566 only, of 2020 (gwsw/less#54).
func withoutLinks(text string) string {
	return regexp.MustCompile(`\x1b\]8;[^\x1b]*\x1b\\`).ReplaceAllLiteralString(text, "")
}
