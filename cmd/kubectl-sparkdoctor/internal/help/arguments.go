package help

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// KnownCommand refuses arguments of the root, which are commands that do not exist, and names those that read alike.
func KnownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), spelling.Meant(cmd.SuggestionsFor(args[0])))
}

// NoArguments refuses arguments of a command that takes flags only. hint says what an argument
// was probably meant for; nil: nothing.
func NoArguments(hint func(argument string) string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		text := fmt.Sprintf("%s takes no argument, and got %q", cmd.Name(), args[0])
		if hint != nil {
			text += hint(args[0])
		}
		return errors.New(text)
	}
}

// Arguments refuses less and more of them than a command takes, in words that say which they are.
func Arguments(least, most int, takes string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s takes %s", cmd.Name(), takes)
		}
		return nil
	}
}

// OneOf refuses what is none of some words. Whether there may be none at all is said by least.
func OneOf(least int, what string, words ...string) cobra.PositionalArgs {
	number := Arguments(least, 1, "one "+what+", one of "+strings.Join(words, ", "))
	return func(cmd *cobra.Command, args []string) error {
		if err := number(cmd, args); err != nil || len(args) == 0 || slices.Contains(words, args[0]) {
			return err
		}
		return fmt.Errorf("unknown %s %q%s", what, args[0], spelling.Choose(args[0], words))
	}
}
