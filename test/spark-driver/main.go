// Command spark-driver stands in for the entry point of Spark's image, as the driver and as an executor. The cluster sees what
// Spark does to it: executor pods that the driver creates, replaces and deletes, a port that executors dial. What runs within is a
// real JVM or a real Python, which do what the application's arguments say (job/Job.java, job/*.py), so that they fail for real.
//
// A driver's first argument may be "context": a SparkContext is made before the rest is done, so that there are executors.
// Executors do what spark.executorEnv.EXECUTOR_DOES says; nothing means that they serve until the driver goes.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
)

func main() {
	code, err := run(context.Background(), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func run(ctx context.Context, args []string) (int, error) {
	switch {
	case len(args) > 0 && args[0] == "driver":
		return runDriver(ctx, args[1:])
	case len(args) > 0 && args[0] == "executor":
		return runExecutor(ctx)
	}
	return 1, fmt.Errorf("want driver or executor: %q", args)
}

// runExecutor starts an executor's JVM with the environment that its driver gave the pod.
func runExecutor(ctx context.Context) (int, error) {
	args := append([]string{"executor", os.Getenv("SPARK_DRIVER_URL")}, strings.Fields(os.Getenv("EXECUTOR_DOES"))...)
	end, err := supervise(ctx, java(os.Getenv("SPARK_EXECUTOR_MEMORY"), os.Getenv("EXECUTOR_JAVA_OPTIONS"), args...))
	return end.code, err
}

// java returns the arguments of a JVM, whose heap is as large as Spark's memory setting says.
func java(heap, options string, args ...string) []string {
	if heap == "" {
		heap = "1g"
	}
	all := append([]string{"java", "-Xmx" + heap}, strings.Fields(options)...)
	return append(append(all, "-cp", "/opt/spark/jars", "Job"), args...)
}

// ending is how a program ended.
type ending struct {
	code   int
	killed bool // by SIGKILL, so that it could not clean up after itself
}

// supervise runs a program as Spark's image does below tini: signals are handed on, and its exit code is the container's, 128 and
// the number of the signal if one ended it.
func supervise(ctx context.Context, args []string) (ending, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return ending{code: 1}, fmt.Errorf("starting %s: %w", args[0], err)
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	defer signal.Stop(signals)
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s) // it fails only for a program that ended, which Wait tells
		}
	}()
	err := cmd.Wait()
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return ending{}, err
	}
	if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return ending{code: 128 + int(status.Signal()), killed: status.Signal() == syscall.SIGKILL}, nil
	}
	return ending{code: failed.ExitCode()}, nil
}

// readConf reads the settings that spark-submit put into a ConfigMap.
func readConf(path string) (sparkconf.Conf, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the settings: %w", err)
	}
	return sparkconf.Parse(string(text))
}
