// Command reference writes the pages of all commands, from the commands themselves: docs/reference for browsers, docs/man
// for man; and it publishes the pages of the checks in docs/checks, where their addresses lead.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: reference DIRECTORY")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	root := cli.Root(genericiooptions.NewTestIOStreamsDiscard())
	settle(root, home)
	// The month of the release that the pages are about, so that they say the same on every day.
	released := time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)
	header := &doc.GenManHeader{Section: "1", Source: "kubectl-sparkdoctor 0.1.0", Manual: "Spark on Kubernetes", Date: &released}
	for dir, write := range map[string]func(string) error{
		"reference": func(dir string) error { return doc.GenMarkdownTree(root, dir) },
		"man":       func(dir string) error { return doc.GenManTree(root, header, dir) },
		"checks":    publish,
	} {
		dir = filepath.Join(args[0], dir)
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil { // #nosec G301 -- documentation
			return err
		}
		if err := write(dir); err != nil {
			return fmt.Errorf("writing %s: %w", dir, err)
		}
	}
	return nil
}

// publish writes the page of every check under its id.
func publish(dir string) error {
	for _, c := range checks.Catalogue() {
		page, err := checks.Docs(c.ID)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, c.ID+".md"), page, 0o644); err != nil { // #nosec G306 -- documentation
			return err
		}
	}
	return nil
}

// settle takes out what differs from machine to machine, and what help does not show either.
func settle(cmd *cobra.Command, home string) {
	cmd.DisableAutoGenTag = true
	cmd.InitDefaultHelpFlag()
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			f.DefValue = strings.Replace(f.DefValue, home, "$HOME", 1)
			f.Value = help.Plain(f)
		})
	}
	for _, sub := range cmd.Commands() {
		settle(sub, home)
	}
}
