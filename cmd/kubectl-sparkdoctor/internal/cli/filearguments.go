package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// fileArgument refuses a file among the arguments of a command that takes files with -f: what a shell makes of -f *.yaml, or a -f that was
// forgotten. Objects may be called like a directory, so that one counts only where it is written as a path or nothing else can be meant.
func fileArgument(cmd *cobra.Command, args []string) error {
	files, err := cmd.Flags().GetStringSlice("filename")
	if err != nil {
		return nil //nolint:nilerr // the command has no such flag
	}
	recursive, _ := cmd.Flags().GetBool("recursive")
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			continue
		}
		alone := len(args) == 1 && !strings.Contains(arg, "/") && cmd.Name() != "why"
		if !hasManifestName(arg) && !strings.HasSuffix(arg, "/") && !alone && (!recursive || len(files) > 0) {
			continue
		}
		what := "a file"
		if info.IsDir() {
			what = "a directory"
		}
		if len(files) > 0 {
			return fmt.Errorf("%q is %s: repeat -f for each, as in -f %s -f %s", arg, what, files[0], arg)
		}
		return fmt.Errorf("%q is %s: pass it with -f", arg, what)
	}
	return nil
}

func hasManifestName(file string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json", ".gz", ".tgz"}, strings.ToLower(filepath.Ext(file)))
}

// flagAsValue refuses a flag in place of the value of the flag before it: --to -f manifests has no release, and no -f.
func flagAsValue(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		long := strings.HasPrefix(value, "--") && cmd.Flags().Lookup(strings.TrimLeft(strings.SplitN(value, "=", 2)[0], "-")) != nil
		short := len(value) == 2 && value[0] == '-' && cmd.Flags().ShorthandLookup(value[1:]) != nil
		if f.Value.Type() != "string" || !long && !short {
			return
		}
		wants := "a value"
		if f.Name == "to" || f.Name == "from" {
			wants = "a release"
		}
		err = fmt.Errorf("--%s needs %s, and got %s", f.Name, wants, value)
	})
	return err
}
