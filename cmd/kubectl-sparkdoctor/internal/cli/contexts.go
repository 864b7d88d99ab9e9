package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// checkContexts refuses what does not go together.
func (o *scanOptions) checkContexts(args []string) error {
	many := len(o.contexts) > 0 || o.allContexts
	switch {
	case !many:
		return nil
	case len(o.contexts) > 0 && o.allContexts:
		return errors.New("--contexts and --all-contexts cannot be combined")
	case *o.kube.Context != "" || *o.kube.ClusterName != "" || *o.kube.APIServer != "":
		return errors.New("--context, --cluster and --server cannot be combined with --contexts or --all-contexts")
	case o.offline:
		return errors.New("--contexts and --all-contexts cannot be combined with -f")
	case len(args) > 0:
		return errors.New("an object is in one cluster: --context instead of --contexts or --all-contexts")
	default:
		return nil
	}
}

// manyContexts are the contexts that the user asked for, none for the current one only.
func (o *scanOptions) manyContexts() ([]string, error) {
	if len(o.contexts) == 0 && !o.allContexts {
		return nil, nil
	}
	raw, err := o.kube.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return nil, &kubeconfigError{err}
	}
	known := slices.Sorted(maps.Keys(raw.Contexts))
	if o.allContexts {
		if len(known) == 0 {
			return nil, &noContextError{flag: "--all-contexts"}
		}
		return known, nil
	}
	for _, name := range o.contexts {
		if !slices.Contains(known, name) {
			return nil, &noContextError{"--contexts", name, known}
		}
	}
	return unique(o.contexts), nil
}

// scanMany scans several clusters side by side and joins the reports.
func (o *scanOptions) scanMany(ctx context.Context, streams genericiooptions.IOStreams, names []string) (*report.Report, error) {
	fleet := scan.Fleet{Tool: tool(), SkipWithoutOperator: o.allContexts}
	var mu sync.Mutex // of stderr
	for _, name := range names {
		one := o.inContext(name)
		fleet.Members = append(fleet.Members, scan.Member{Context: name, Scan: func(ctx context.Context) (*report.Report, error) {
			errOut := &prefixed{mu: &mu, w: streams.ErrOut, prefix: report.Escape(name) + ": "}
			defer errOut.flush()
			mine := streams
			mine.ErrOut = errOut
			var r *report.Report
			err := protect(func() (err error) {
				r, _, err = one.scanOne(ctx, mine, false)
				return err
			})
			return r, err
		}})
	}
	r, err := fleet.Run(ctx)
	if err != nil {
		return nil, err
	}
	for _, source := range r.Sources {
		if source.Error != "" {
			say(streams, "%s: %s", report.Escape(source.Name), report.Escape(source.Error))
		}
	}
	return r, nil
}

// inContext are the same options for another context of the kubeconfig, for as many scans as there are.
func (o *scanOptions) inContext(name string) *scanOptions {
	if known := o.others[name]; known != nil {
		return known
	}
	if o.others == nil {
		o.others = map[string]*scanOptions{}
	}
	one := *o
	o.others[name] = &one
	one.kube = connectionOf(o.flags)
	one.kube.Timeout = o.kube.Timeout
	*one.kube.Context = name
	return &one
}

// connectionOf are kubectl's flags with what was given of them.
func connectionOf(given *pflag.FlagSet) *genericclioptions.ConfigFlags {
	kube := genericclioptions.NewConfigFlags(true)
	mine := pflag.NewFlagSet("", pflag.ContinueOnError)
	kube.AddFlags(mine)
	given.Visit(func(f *pflag.Flag) {
		if mine.Lookup(f.Name) == nil {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			_ = mine.Set(f.Name, value) // it was valid there
		}
	})
	return kube
}

// prefixed writes whole lines, each with the name of its cluster.
type prefixed struct {
	mu     *sync.Mutex
	w      io.Writer
	prefix string
	rest   []byte
}

func (p *prefixed) Write(b []byte) (int, error) {
	p.rest = append(p.rest, b...)
	for {
		line, rest, found := bytes.Cut(p.rest, []byte("\n"))
		if !found {
			return len(b), nil
		}
		p.rest = rest
		p.line(line)
	}
}

func (p *prefixed) line(text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = fmt.Fprintf(p.w, "%s%s\n", p.prefix, text)
}

func (p *prefixed) flush() {
	if len(p.rest) > 0 {
		p.line(p.rest)
	}
}

// asked is what the user typed about the cluster and about who asks, for commands to say again. Credentials are none of it.
func (f *scanFlags) asked() command.Asked {
	given := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	a := command.Asked{
		Kubeconfig: given(f.kube.KubeConfig), Context: given(f.kube.Context), Cluster: given(f.kube.ClusterName),
		User: given(f.kube.AuthInfoName),
		As:   given(f.kube.Impersonate), AsUID: given(f.kube.ImpersonateUID),
		Selector: f.selector,
		Input:    command.Input{Files: f.files, Exclude: f.exclude, Recursive: f.recursive, Complete: f.complete, AsOf: f.asOf},
	}
	if f.kube.ImpersonateGroup != nil {
		a.AsGroups = *f.kube.ImpersonateGroup
	}
	if !f.allNamespaces {
		a.Namespace = given(f.kube.Namespace)
	}
	return a
}
