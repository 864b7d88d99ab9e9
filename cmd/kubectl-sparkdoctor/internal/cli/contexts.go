package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// parallelClusters bounds how many clusters are scanned at once: each takes memory of its own.
const parallelClusters = 4

// checkContexts refuses what does not go together.
func (o *scanOptions) checkContexts(args []string) error {
	many := len(o.contexts) > 0 || o.allContexts
	switch {
	case !many:
		return nil
	case len(o.contexts) > 0 && o.allContexts:
		return errors.New("--contexts and --all-contexts: only one of them")
	case *o.kube.Context != "" || *o.kube.ClusterName != "" || *o.kube.APIServer != "":
		return errors.New("--context, --cluster and --server name one cluster and do not go with --contexts or --all-contexts")
	case o.offline:
		return errors.New("--contexts and --all-contexts ask clusters and do not go with -f")
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
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	known := slices.Sorted(maps.Keys(raw.Contexts))
	if o.allContexts {
		if len(known) == 0 {
			return nil, errors.New("--all-contexts: the kubeconfig has no context")
		}
		return known, nil
	}
	for _, name := range o.contexts {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("--contexts: the kubeconfig has no context %q; it has %s", name, strings.Join(known, ", "))
		}
	}
	return unique(o.contexts), nil
}

// scanMany scans several clusters side by side and joins the reports. A cluster that cannot be scanned is told in the
// report and makes it incomplete; the others are not spoilt.
func (o *scanOptions) scanMany(ctx context.Context, streams genericiooptions.IOStreams, names []string) (*report.Report, error) {
	list, failed := make([]*report.Report, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	var mu sync.Mutex // of stderr
	slots := make(chan struct{}, parallelClusters)
	for i, name := range names {
		slots <- struct{}{}
		one := o.inContext(name) // flags are not safe for concurrent use
		wg.Go(func() {
			defer func() { <-slots }()
			err := &prefixed{mu: &mu, w: streams.ErrOut, prefix: report.Escape(name) + ": "}
			defer err.flush()
			mine := streams
			mine.ErrOut = err
			failed[i] = protect(func() (err error) {
				list[i], err = one.scanOne(ctx, mine)
				return err
			})
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, &codeError{ExitInterrupted, "interrupted"}
	}
	for i, err := range failed {
		if err == nil {
			continue
		}
		source := report.Source{Name: names[i], Type: "cluster", Context: names[i]}
		var none *noOperatorError
		if source.NoOperator = errors.As(err, &none) && o.allContexts; !source.NoOperator {
			_, message := exitOf(err)
			var none *emptyError
			source.Empty = errors.As(err, &none)
			source.Error = strings.TrimPrefix(firstLine(message), "error: ")
			say(streams, "%s: %s", report.Escape(names[i]), report.Escape(source.Error))
		}
		list[i] = report.Unjudged(tool(), source)
	}
	return report.Join(list), nil
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

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
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
