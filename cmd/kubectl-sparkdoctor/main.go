// Command kubectl-sparkdoctor diagnoses Spark on Kubernetes under the Kubeflow Spark Operator.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // the cloud login plugins that kubectl knows

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/logging"
)

func main() {
	if err := logging.To(os.Stderr, 0); err != nil {
		panic(err) // klog knows its own flag
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		if s == syscall.SIGTERM {
			cancel(cli.ErrTerminated)
		}
		cancel(nil)
		<-signals // a second signal ends the program at once, even during a call that cannot be interrupted
		os.Exit(cli.ExitInterrupted)
	}()
	os.Exit(cli.Run(ctx, os.Args[1:], genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}))
}
