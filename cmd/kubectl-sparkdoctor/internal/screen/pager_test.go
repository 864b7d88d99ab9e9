package screen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPagerOf: the variable of this program wins over that of all programs, also where it is empty.
func TestPagerOf(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"less":    {"PAGER": "less"},
		"less -S": {"PAGER": "more", "SPARKDOCTOR_PAGER": " less -S "},
		"":        {"PAGER": "less", "SPARKDOCTOR_PAGER": ""},
	} {
		require.Equal(t, want, pagerOf(func(name string) (string, bool) { value, set := env[name]; return value, set }))
	}
	for _, none := range []map[string]string{{}, {"PAGER": ""}, {"PAGER": "cat"}, {"SPARKDOCTOR_PAGER": "cat", "PAGER": "less"}} {
		require.Empty(t, pagerOf(func(name string) (string, bool) { value, set := none[name]; return value, set }))
	}
}

// TestOnlyATerminalIsPaged: whatever is set.
func TestOnlyATerminalIsPaged(t *testing.T) {
	t.Setenv("SPARKDOCTOR_PAGER", "less")
	require.Nil(t, PagedOf(&strings.Builder{}))
}

func TestArgvOf(t *testing.T) {
	argv, shell := argvOf("less -S", "linux")
	require.Equal(t, []string{"less", "-S"}, argv)
	require.False(t, shell)
	argv, shell = argvOf("col -b | less", "linux")
	require.Equal(t, []string{"sh", "-c", "col -b | less"}, argv)
	require.True(t, shell)
	argv, shell = argvOf(`C:\more.com`, "windows")
	require.Equal(t, []string{`C:\more.com`}, argv)
	require.False(t, shell)
}

func TestWithLess(t *testing.T) {
	require.Equal(t, []string{"A=1", "LESS=FRX"}, withLess([]string{"A=1"}))
	require.Equal(t, []string{"LESS=", "A=1"}, withLess([]string{"LESS=", "A=1"}))
}
