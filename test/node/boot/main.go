//go:build linux

// Command boot is the first process of a node: it makes the namespaces that it was started in a place for containerd and the kubelet
// and runs them until its standard input ends, which happens when the process that started it does, however that ends.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node/plan"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("boot takes one file, a plan, and not %d", len(args))
	}
	if os.Getpid() != 1 {
		return fmt.Errorf("boot must be the first process of namespaces of its own")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return fmt.Errorf("reading the plan: %w", err)
	}
	var p plan.Plan
	if err := json.Unmarshal(text, &p); err != nil {
		return fmt.Errorf("decoding the plan: %w", err)
	}
	stdin := bufio.NewReader(os.Stdin)
	if _, err := stdin.ReadString('\n'); err != nil {
		return fmt.Errorf("waiting for the network: %w", err)
	}
	go func() {
		// Nothing more is sent. Without its first process the kernel ends the others (pid_namespaces(7)).
		_, _ = stdin.ReadString('\n')
		os.Exit(0)
	}()
	if err := mounts(p); err != nil {
		return err
	}
	if err := network(p); err != nil {
		return err
	}
	return programs(p)
}
