package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/record"
)

func recordExample(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	stuck := flags.Duration("stuck", 11*time.Minute, "how `long` faults last before they are recorded")
	if err := flags.Parse(args); err != nil {
		return ignoreHelp(err)
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("record takes one directory")
	}
	return record.Record(ctx, record.Options{Dir: flags.Arg(0), Stuck: *stuck, Log: log})
}
