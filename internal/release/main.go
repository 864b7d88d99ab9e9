// Command release writes what a release says of itself: which licences the modules in the program have, their texts,
// a bill of materials for each program, and krew's manifest.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

const usage = `usage:
  release licences             the modules of the program and their licences; fails on one that is not allowed
  release notices FILE         write the texts of these licences, which a release must carry
  release krew TEMPLATE DIST   fill in krew's manifest for the archives in a directory, into krew/ there
  release sbom PROGRAM FILE    write what a built program is made of, as SPDX 2.3`

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "licences":
		modules, err := shipped(ctx)
		if err != nil {
			return err
		}
		return inventory(stdout, modules)
	case len(args) == 2 && args[0] == "notices":
		modules, err := shipped(ctx)
		if err != nil {
			return err
		}
		return os.WriteFile(args[1], notices(modules), 0o644) // #nosec G306 -- for all users to read
	case len(args) == 3 && args[0] == "krew":
		return writeManifest(args[1], args[2])
	case len(args) == 3 && args[0] == "sbom":
		return writeBill(ctx, args[1], args[2])
	default:
		return errors.New(usage)
	}
}
