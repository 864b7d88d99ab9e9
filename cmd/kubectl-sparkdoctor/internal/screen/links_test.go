package screen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShowsLinks: what is not known to show links gets none.
func TestShowsLinks(t *testing.T) {
	show := func(variables ...string) bool {
		env := map[string]string{"TERM": "xterm-256color"}
		for _, v := range variables {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		return showsLinks(func(name string) string { return env[name] })
	}
	for _, no := range []string{
		"TERM=xterm", "TERM_PROGRAM=Apple_Terminal", "TERM_PROGRAM=tmux", "VTE_VERSION=4601", "VTE_VERSION=5000", "VTE_VERSION=new",
	} {
		require.False(t, show(no), no)
	}
	for _, yes := range []string{
		"TERM_PROGRAM=iTerm.app", "TERM_PROGRAM=WezTerm", "TERM_PROGRAM=vscode", "TERM_PROGRAM=ghostty", "VTE_VERSION=5001",
		"VTE_VERSION=7600", "KITTY_WINDOW_ID=1", "WT_SESSION=0000", "DOMTERM=version=3",
	} {
		require.True(t, show(yes), yes)
		for _, term := range []string{"screen.xterm-256color", "screen", "tmux-256color", "linux", "dumb"} {
			require.False(t, show(yes, "TERM="+term), "%s in %s", yes, term)
		}
	}
}

func TestForcedLinks(t *testing.T) {
	for value, want := range map[string]bool{"1": true, "0": false, "00": false, "": true, "yes": true} {
		links, is := forcedLinks(func(string) (string, bool) { return value, true })
		require.True(t, is)
		require.Equal(t, want, links, value)
		t.Setenv("FORCE_HYPERLINK", value)
		require.Equal(t, want, Links(&strings.Builder{}, false), value)
	}
	_, is := forcedLinks(func(string) (string, bool) { return "", false })
	require.False(t, is)
}

func TestWithoutLinks(t *testing.T) {
	require.Equal(t, "\x1b[1mSD2001\x1b[0m: 1 finding",
		withoutLinks("\x1b[1m\x1b]8;;https://example.com/SD2001.md\x1b\\SD2001\x1b]8;;\x1b\\\x1b[0m: 1 finding"))
}
