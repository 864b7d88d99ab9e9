// Package help arranges the flags of commands by purpose. Those of the connection and the thresholds are on a page of their own,
// that of "options", as kubectl does it.
package help

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// columns is how wide help is at most, and where it goes to no terminal.
const columns = 120

// Width returns the columns of the terminal that a stream leads to, 0 for anything else.
type Width func(io.Writer) int

// of is how wide help on a stream is.
func (width Width) of(w io.Writer) int {
	if n := width(w); n > 0 {
		return min(n, columns)
	}
	return columns
}

// group is a heading with the names of flags.
type group struct {
	title string
	flags []string
}

// groups are the flags of every command by purpose, in the order in which help shows them. A flag that is in none is the command's
// own, and first.
func groups() []group {
	return []group{
		{"What to look at", []string{"namespace", "all-namespaces", "selector", "scope", "checks", "skip-checks",
			"context", "contexts", "all-contexts"}},
		{"Files instead of a cluster", []string{"filename", "recursive", "complete", "as-of"}},
		{"Look closer", []string{"probe", "logs", "baseline"}},
		{"Output", []string{"output", "group-by", "min-severity", "show-suppressed", "color", "cost"}},
		{"Exit code", []string{"fail-on", "ignore", "allow-incomplete", "allow-empty"}},
		{"Watch", []string{"watch", "interval", "until", "timeout"}},
	}
}

// apart are the flags that only "options" shows.
func apart() []group {
	return []group{
		{"Connection", []string{"kubeconfig", "cluster", "user", "server", "token", "as", "as-group", "as-uid", "as-user-extra",
			"certificate-authority", "client-certificate", "client-key", "insecure-skip-tls-verify", "tls-server-name", "proxy-url",
			"disable-compression", "request-timeout", "cache-dir", "chunk-size", "qps", "burst", "v"}},
		{"Thresholds, which .sparkdoctor.yaml can set too", []string{"config", "confirm-after", "new-after", "stuck-after", "submitted-after",
			"transition-after", "finished-after", "cert-warn", "max-object-size", "restarts", "backlog", "lost-executors", "oom-executors",
			"pile-up", "failed-within"}},
	}
}

// Install gives all commands of a tree help with their flags in groups, and the root the command "options", which shows the rest of
// those of from.
func Install(root *cobra.Command, from *cobra.Command, width Width) {
	root.SetUsageFunc(func(cmd *cobra.Command) error { return usage(cmd, width.of(cmd.OutOrStdout())) })
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		w := cmd.OutOrStdout()
		for paragraph := range strings.SplitSeq(strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)), "\n\n") {
			if !strings.HasPrefix(paragraph, " ") { // a list is indented
				paragraph = strings.Join(terminal.Wrap(paragraph, width.of(w)), "\n")
			}
			_, _ = fmt.Fprintln(w, paragraph+"\n")
		}
		_ = usage(cmd, width.of(w))
	})
	root.AddCommand(&cobra.Command{
		Use: "options", Short: "Flags of the connection, and thresholds", Args: NoArguments(nil), ValidArgsFunction: cobra.NoFileCompletions,
		Long: "Lists the flags of all commands that read a cluster: the connection, and the thresholds of checks.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			flags := pflag.NewFlagSet("all", pflag.ContinueOnError)
			flags.AddFlagSet(from.Flags())
			flags.AddFlagSet(root.PersistentFlags())
			return write(cmd.OutOrStdout(), flags, apart(), width.of(cmd.OutOrStdout()))
		},
	})
}

// Suggest adds to the error of an unknown flag the flags of the command that read alike.
func Suggest(cmd *cobra.Command, err error) error {
	unknown := new(pflag.NotExistError)
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return err
	}
	if unknown.GetSpecifiedName() == "version" {
		return fmt.Errorf("%w; '%s version' prints it", err, cmd.Root().CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	near := spelling.Nearest(unknown.GetSpecifiedName(), names, spelling.Few)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return fmt.Errorf("%w%s", err, spelling.Meant(near))
}

func usage(cmd *cobra.Command, columns int) error {
	w := cmd.OutOrStdout()
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		line = cmd.CommandPath() + " [command]"
	}
	_, err := fmt.Fprintf(w, "Usage:\n  %s\n", line)
	if cmd.HasExample() {
		_, err = fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		_, err = fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				_, err = fmt.Fprintf(w, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if err != nil {
		return err
	}
	flags := pflag.NewFlagSet("all", pflag.ContinueOnError)
	flags.AddFlagSet(cmd.LocalFlags())
	flags.AddFlagSet(cmd.InheritedFlags())
	if err := write(w, flags, append([]group{{"Flags", own(flags)}}, groups()...), columns); err != nil {
		return err
	}
	if flags.Lookup("kubeconfig") != nil {
		_, err = fmt.Fprintf(w, "\nFlags of the connection, and thresholds: %s options\n", cmd.Root().DisplayName())
	}
	return err
}

// own are the names of the flags that are in no group.
func own(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !slices.ContainsFunc(append(groups(), apart()...), func(g group) bool { return slices.Contains(g.flags, f.Name) }) {
			names = append(names, f.Name)
		}
	})
	return names
}

// write lists those of the flags that are in groups.
func write(w io.Writer, flags *pflag.FlagSet, list []group, columns int) error {
	for _, g := range list {
		some := pflag.NewFlagSet(g.title, pflag.ContinueOnError)
		some.SortFlags = false
		for _, name := range g.flags {
			if f := flags.Lookup(name); f != nil && !f.Hidden {
				shown := *f
				shown.Value = Plain(f)
				some.AddFlag(&shown)
			}
		}
		if !some.HasFlags() {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s:\n%s", g.title, strings.TrimRight(some.FlagUsagesWrapped(columns), "\n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Plain is the value of a flag as it is to be shown.
func Plain(f *pflag.Flag) pflag.Value {
	if f.Value.Type() == "bool" {
		return plain{f.Value}
	}
	return f.Value
}

// plain hides that a flag is a switch, for which pflag 1.1.0 writes "--name[=true|false]" (flag.go@v1.1.0: FlagUsagesWrapped).
type plain struct{ pflag.Value }
