package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/web"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
)

const serveLong = `Scans on an interval, one scan at a time, and serves the last report over HTTP:

  /metrics      for Prometheus
  /             the HTML report
  /report.json  the report for machines
  /healthz      200 while the process works
  /readyz       200 once there is a report that is not older than three intervals

It exits with 0 on SIGTERM and with 130 on Ctrl-C, after it has answered open requests (10 s at most).

It keeps only the last report, so you can run any number of replicas. There is no password: keep the
address within the cluster, because the report names its objects. It answers only under IP addresses,
localhost, the host of --listen, names of Services (NAME.NAMESPACE.svc, unless it listens on localhost)
and --allowed-hosts, so that no web page can read the report through your browser (DNS rebinding).`

const serveExample = `  # On this machine
  kubectl sparkdoctor serve --listen 127.0.0.1:8484

  # In a cluster, beside a ServiceAccount with the roles of "kubectl sparkdoctor rbac"
  kubectl-sparkdoctor serve --listen :8484 --interval 10m`

// defaultServeInterval is how often a server scans: a scan lists everything.
const defaultServeInterval = 5 * time.Minute

func newServe(streams genericiooptions.IOStreams) *cobra.Command {
	f := &scanFlags{kube: genericclioptions.NewConfigFlags(true), params: check.DefaultParams(),
		showFlags: showFlags{failOn: "none", color: "never"}}
	var listen string
	var allowed []string
	cmd := &cobra.Command{
		Use: "serve", Short: "Scan on an interval and serve metrics and the report",
		Long: serveLong, Example: serveExample, Args: help.NoArguments(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.interval < minInterval {
				return usageError(cmd, fmt.Errorf("--interval is at least %s", minInterval))
			}
			names, err := web.ParseHosts(allowed)
			if err != nil {
				return usageError(cmd, err)
			}
			o, err := f.options(cmd.Context(), nil)
			if err != nil {
				return usageError(cmd, err)
			}
			return o.serve(cmd.Context(), streams, web.Hosts{Listen: listen, Allowed: names})
		},
	}
	f.addReading(cmd.Flags())
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8484", "ADDRESS:PORT to serve on")
	cmd.Flags().StringSliceVar(&allowed, "allowed-hosts", nil, "further host names to answer under, as of an Ingress; '*' is any")
	cmd.Flags().DurationVar(&f.interval, "interval", defaultServeInterval, "how long to wait between scans")
	return cmd
}

// serve listens, scans until the context ends, and then lets requests finish.
func (o *scanOptions) serve(ctx context.Context, streams genericiooptions.IOStreams, hosts web.Hosts) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", hosts.Listen)
	if err != nil {
		return err
	}
	p := &web.Published{Keep: 3 * o.interval, Now: time.Now}
	server := &http.Server{Handler: hosts.Only(p.Handler()), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	say(streams, "serving on http://%s, scanning every %s", listener.Addr(), phrase.Span(o.interval))
	for first := true; ; first = false {
		o.publish(ctx, streams, p, first)
		select {
		case err := <-failed:
			return err
		case <-ctx.Done():
			stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
			defer cancel()
			code := ExitInterrupted
			if errors.Is(context.Cause(ctx), ErrTerminated) {
				code = exitClean
			}
			return errors.Join(server.Shutdown(stopping), &codeError{code: code})
		case <-time.After(o.interval):
		}
	}
}

// publish scans once. A scan that fails leaves the last report, which grows old, and is counted.
func (o *scanOptions) publish(ctx context.Context, streams genericiooptions.IOStreams, p *web.Published, first bool) {
	var s formats.Scan
	err := protect(func() (err error) {
		s, err = o.report(ctx, streams)
		return err
	})
	if ctx.Err() != nil {
		return
	}
	if err == nil {
		err = p.Publish(s.Report)
	}
	if err != nil {
		p.Fail()
		_, message := exitOf(err)
		say(streams, "%s", report.Escape(firstLine(message)))
		if first && noCluster(err) {
			for _, line := range withoutCluster(err, o.kube, filesOfScan) {
				say(streams, "%s", report.Escape(line))
			}
		}
	}
}
