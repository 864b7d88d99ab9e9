package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
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
