package cli

import (
	"context"
	"fmt"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// binding is by what a plan or a record names its cluster.
type binding struct {
	bound     bool   // else it names none
	made      bool   // it exists, and says by which namespace
	namespace string // of one that exists; empty: kube-system
}

// bindingOf is that of a plan or a record that exists.
func bindingOf(c plan.Cluster) binding {
	return binding{bound: true, made: true, namespace: c.Namespace}
}

// identified asks the cluster who it is.
func (o *scanOptions) identified(ctx context.Context, streams genericiooptions.IOStreams, client *apply.Client,
	to binding,
) (scan.Writer, error) {
	if to.namespace != "" {
		return scan.NewWriterWithin(ctx, client, to.namespace)
	}
	w, err := scan.NewWriter(ctx, client)
	if to.made || err == nil || !apply.Forbids(err) {
		return w, err
	}
	own, noContext := o.currentNamespace()
	if noContext != nil || own == "" {
		return w, err
	}
	within, notOwn := scan.NewWriterWithin(ctx, client, own)
	if notOwn != nil {
		return w, err
	}
	say(streams, "you may not get namespace kube-system, so records name this cluster by the UID of namespace %s, "+
		"and nothing is written beyond it", report.Escape(own))
	return within, nil
}

// unidentified says that the user may not read the namespace by which a record names the cluster, and what an administrator does.
func (o *scanOptions) unidentified(ctx context.Context, w scan.Writer, namespace string) error {
	rights := command.Rights{For: command.ForFix}
	if own := *o.kube.Namespace; own != "" {
		rights.Namespaces = []string{own}
	}
	if user, err := w.WhoAmI(ctx); err == nil { // else the command binds the roles to none
		rights.User = user
	}
	return fmt.Errorf("you may not get namespace %s: its UID says in the record which cluster it is of\n%s", namespace,
		command.Administrator+o.asked().In(rights.Line()))
}
