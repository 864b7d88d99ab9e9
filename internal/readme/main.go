// Command readme writes the parts of pages that stand between markers: the table of the checks, and what the
// program prints, by running it, as text and as pictures.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	fs := flag.NewFlagSet("readme", flag.ContinueOnError)
	fs.SetOutput(stderr)
	binary := fs.String("binary", "", "the kubectl-sparkdoctor to run")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() == 0 || *binary == "" {
		return errors.New("usage: readme -binary FILE PAGE [PAGE]…")
	}
	for _, page := range fs.Args() {
		if err := write(ctx, *binary, page); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	return nil
}

// write fills a page. Commands run in the working directory, which is the root of the repository.
func write(ctx context.Context, binary, page string) error {
	before, err := os.ReadFile(page) // #nosec G304 -- pages of this repository
	if err != nil {
		return err
	}
	after, err := fill(string(before), func(section, arg string) (string, error) {
		switch section {
		case "checks":
			return catalogue(checks.Catalogue()), nil
		case "output":
			return output(ctx, binary, strings.Fields(arg))
		case "picture":
			name, args, _ := strings.Cut(arg, " ")
			return picture(ctx, binary, name, strings.Fields(args))
		default:
			return "", fmt.Errorf("unknown section %q", section)
		}
	})
	if err != nil || after == string(before) {
		return err
	}
	return os.WriteFile(page, []byte(after), 0o644) // #nosec G306 -- documentation
}

// section is "<!-- begin NAME ARGUMENT -->", what is generated, "<!-- end -->".
var section = regexp.MustCompile(`(?s)(<!-- begin (\w+) ?([^\n]*?) -->\n).*?(<!-- end -->)`)

// fill replaces what stands between the markers.
func fill(text string, generate func(section, arg string) (string, error)) (string, error) {
	if strings.Count(text, "<!-- begin ") != len(section.FindAllString(text, -1)) {
		return "", errors.New("a begin marker has no end")
	}
	var failure error
	text = section.ReplaceAllStringFunc(text, func(found string) string {
		m := section.FindStringSubmatch(found)
		body, err := generate(m[2], m[3])
		failure = errors.Join(failure, err)
		return m[1] + body + m[4]
	})
	return text, failure
}

// catalogue is the table of the checks, for a page in docs.
func catalogue(list []check.Check) string {
	var b strings.Builder
	b.WriteString("| check | a finding says that |\n| --- | --- |\n")
	for _, c := range list {
		fmt.Fprintf(&b, "| [%s](checks/%s.md) `%s` | %s |\n", c.ID, c.ID, c.Slug, c.Title)
	}
	return b.String()
}

// output is the command line, as kubectl's user types it, and what it prints.
func output(ctx context.Context, binary string, args []string) (string, error) {
	out, err := printed(ctx, binary, args)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("```console\n$ kubectl sparkdoctor %s\n%s```\n", strings.Join(args, " "), out), nil
}

// printed runs the program and returns its stdout. Exit code 1 means findings, which is what an example shows.
func printed(ctx context.Context, binary string, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return "", fmt.Errorf("running %s %s: %w\n%s", binary, strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}
