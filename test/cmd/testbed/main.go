package main

import (
	"context"
	"fmt"
	"os"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

func main() {
	if err := controlplane.Build(context.Background(), os.Stderr, os.Args[2:]...); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
