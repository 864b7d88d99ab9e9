package main

import (
	"context"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// theme are the colours of a terminal, GitHub's own for pages of that brightness.
type theme struct{ name, ground, text, dim, red, yellow, cyan string }

func themes() []theme {
	return []theme{
		{"light", "#f6f8fa", "#1f2328", "#656d76", "#cf222e", "#9a6700", "#1b7c83"},
		{"dark", "#161b22", "#e6edf3", "#8b949e", "#ff7b72", "#d29922", "#39c5cf"},
	}
}

// picture runs the program as a terminal shows it, writes NAME-light.svg and NAME-dark.svg, and returns what shows the one
// that suits the reader.
func picture(ctx context.Context, binary, name string, args []string) (string, error) {
	out, err := printed(ctx, binary, append(args, "--color", "always"))
	if err != nil {
		return "", err
	}
	command := "$ kubectl sparkdoctor " + strings.Join(args, " ")
	for _, t := range themes() {
		text, err := t.svg("\x1b[1m" + command + "\x1b[0m\n" + out)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(name+"-"+t.name+".svg", []byte(text), 0o644); err != nil { // #nosec G306 -- documentation
			return "", err
		}
	}
	return fmt.Sprintf(`<picture>
  <source media="(prefers-color-scheme: dark)" srcset="%s-dark.svg">
  <img src="%[1]s-light.svg" alt="The output of %s; a link below leads to the same as text">
</picture>
`, name, html.EscapeString(command)), nil
}

// The size of a character cell and of the margin, in pixels.
const (
	cellWidth, cellHeight = 7.8, 18
	margin                = 16
)

var sgr = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// svg draws lines with SGR attributes (ECMA-48, 8.3.117), those that reports use.
func (t theme) svg(text string) (string, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	columns := 0
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(sgr.ReplaceAllString(line, "")))
	}
	width, height := int(float64(columns)*cellWidth)+2*margin, len(lines)*cellHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">`+"\n", width, height)
	fmt.Fprintf(&b, `<style>text { fill: %s; white-space: pre } .bold { font-weight: bold } .dim { fill: %s } .red { fill: %s } .yellow { fill: %s } .cyan { fill: %s }</style>`+"\n", t.text, t.dim, t.red, t.yellow, t.cyan)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", t.ground)
	pen := map[string]bool{}
	for i, line := range lines {
		spans, err := draw(line, pen)
		if err != nil {
			return "", err
		}
		if spans != "" {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", margin, margin+i*cellHeight+cellHeight*3/4, spans)
		}
	}
	b.WriteString("</svg>\n")
	return b.String(), nil
}

// draw returns the spans of a line. The pen is what earlier attributes left on.
func draw(line string, pen map[string]bool) (string, error) {
	var b strings.Builder
	put := func(text string) {
		var classes []string
		for _, class := range []string{"bold", "dim", "red", "yellow", "cyan"} {
			if pen[class] {
				classes = append(classes, class)
			}
		}
		switch {
		case text == "":
		case len(classes) == 0:
			b.WriteString(html.EscapeString(text))
		default:
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, strings.Join(classes, " "), html.EscapeString(text))
		}
	}
	at := 0
	for _, m := range sgr.FindAllStringSubmatchIndex(line, -1) {
		put(line[at:m[0]])
		at = m[1]
		for code := range strings.SplitSeq(line[m[2]:m[3]], ";") {
			switch code {
			case "", "0":
				clear(pen)
			case "1":
				pen["bold"] = true
			case "2":
				pen["dim"] = true
			case "22":
				pen["bold"], pen["dim"] = false, false
			case "31":
				pen["red"] = true
			case "33":
				pen["yellow"] = true
			case "36":
				pen["cyan"] = true
			default:
				return "", fmt.Errorf("no picture is drawn of the attribute %q", code)
			}
		}
	}
	put(line[at:])
	return b.String(), nil
}
