package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node/situations"
)

func recordNode(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("record-node", flag.ContinueOnError)
	binary := flags.String("binary", "", "kubectl-sparkdoctor, as an absolute `path`")
	only := flags.String("only", "", "`names` of situations, separated by commas; empty: all")
	settle := flags.Duration("settle", 90*time.Second, "how `long` the last situation lasts before all are recorded")
	if err := flags.Parse(args); err != nil {
		return ignoreHelp(err)
	}
	if flags.NArg() != 1 || *binary == "" {
		return fmt.Errorf("record-node takes --binary and one directory")
	}
	releases := build.OperatorVersions()
	o := situations.Options{Dir: flags.Arg(0), Binary: *binary, Operator: releases[len(releases)-1], Settle: *settle, Log: log}
	if *only != "" {
		o.Only = strings.Split(*only, ",")
	}
	return situations.RecordAll(ctx, o)
}
