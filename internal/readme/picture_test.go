package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDraw(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":                  {"no findings", "no findings"},
		"bold, until it is not":  {"\x1b[1ma\x1b[22m b", `<tspan class="bold">a</tspan> b`},
		"two at once, and reset": {"\x1b[31;1mERROR\x1b[0;22m x", `<tspan class="bold red">ERROR</tspan> x`},
		"what would be markup":   {"a<b & \x1b[2m\"c\"\x1b[0m", `a&lt;b &amp; <tspan class="dim">&#34;c&#34;</tspan>`},
		"nothing between":        {"\x1b[1m\x1b[0m", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := draw(c.in, map[string]bool{})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	_, err := draw("\x1b[5mblink", map[string]bool{})
	require.ErrorContains(t, err, `attribute "5"`)
}

func TestPictureIsXML(t *testing.T) {
	for _, theme := range themes() {
		text, err := theme.svg("\x1b[31ma & b\ncontinued\x1b[0m\n\n12345\n")
		require.NoError(t, err)
		require.Contains(t, text, `<tspan class="red">continued</tspan>`, "attributes last over the end of a line")
		require.Contains(t, text, `width="102" height="104"`, "9 columns and 4 lines, with margins")
		d := xml.NewDecoder(strings.NewReader(text))
		for err == nil {
			_, err = d.Token()
		}
		require.True(t, errors.Is(err, io.EOF), "%v", err)
	}
}
