package situations

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

// Options say what RecordAll records.
type Options struct {
	Dir      string        // of the recordings
	Binary   string        // kubectl-sparkdoctor
	Operator string        // its release
	Only     []string      // names of situations; empty: all
	Settle   time.Duration // how long they last before they are recorded: a job counts as stuck after ten minutes
	Log      io.Writer
	// Held is called while a situation that was recorded still lasts; nil: nothing is.
	Held func(ctx context.Context, situation string) error
}

// RecordAll starts a cluster with a real node and the operator, makes situations happen in it and records them. Those that failed to
// happen are left out and returned as an error.
func RecordAll(ctx context.Context, o Options) (err error) {
	cp, err := controlplane.Start(ctx, controlplane.Options{Log: o.Log, CRDs: o.Operator, NodeJoins: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cp.Stop()) }()
	archives, err := images.Archives(ctx, cp.Builder(), o.Operator)
	if err != nil {
		return err
	}
	n, err := node.Start(ctx, cp, node.Options{Log: o.Log, Images: archives})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Stop()) }()
	if _, err := cp.InstallOperator(ctx, controlplane.OperatorOptions{Version: o.Operator, JobNamespaces: Namespaces()}); err != nil {
		return err
	}
	bed := Bed{Cluster: cp, Node: n, Operator: o.Operator, Binary: o.Binary, Log: o.Log}
	return bed.recordAll(ctx, o)
}

func (b Bed) recordAll(ctx context.Context, o Options) error {
	heartbeats, stop := context.WithCancel(ctx)
	defer stop()
	if err := b.secondNode(heartbeats); err != nil {
		return err
	}
	failed := map[string]error{}
	for _, wave := range Waves() {
		if err := b.recordWave(ctx, o.chosen(wave), o, failed); err != nil {
			return errors.Join(err, joined(failed))
		}
	}
	for _, s := range o.chosen(Alone()) {
		one, err := b.Happen(ctx, []Situation{s})
		maps.Copy(failed, one)
		if err == nil && one[s.Name] == nil {
			err = b.held(ctx, s, o, failed)
		}
		if err != nil {
			return errors.Join(err, joined(failed))
		}
		if err := (Situation{s.Name, afterwards(s)}).happen(ctx, b); err != nil {
			return errors.Join(err, joined(failed))
		}
	}
	return joined(failed)
}

// recordWave makes situations happen side by side, records those that did, and frees the room that they have taken.
func (b Bed) recordWave(ctx context.Context, list []Situation, o Options, failed map[string]error) error {
	if len(list) == 0 {
		return nil
	}
	some, err := b.Happen(ctx, list)
	maps.Copy(failed, some)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.Log, "waiting %s\n", o.Settle)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(o.Settle):
	}
	for _, s := range list {
		if failed[s.Name] == nil {
			if err := b.held(ctx, s, o, failed); err != nil {
				return err
			}
		}
	}
	for _, s := range list {
		if err := b.remove(ctx, s.Name); err != nil {
			return err
		}
	}
	return nil
}

// held records a situation while it lasts, and calls who asked for that. Their errors do not stop the others.
func (b Bed) held(ctx context.Context, s Situation, o Options, failed map[string]error) error {
	if err := b.Record(ctx, s, o.Dir); err != nil {
		return err
	}
	if o.Held == nil {
		return nil
	}
	if err := o.Held(ctx, s.Name); err != nil {
		failed[s.Name] = err
	}
	return nil
}

// remove deletes the applications and the pods of a namespace, without giving these time. A few stay, as their situations have it.
func (b Bed) remove(ctx context.Context, namespace string) error {
	err := b.Cluster.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).DeleteCollection(ctx, metav1.DeleteOptions{},
		metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("deleting the applications of %q: %w", namespace, err)
	}
	err = b.Cluster.Client.CoreV1().Pods(namespace).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))},
		metav1.ListOptions{})
	if err != nil && !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err) { // a policy protects them
		return fmt.Errorf("deleting the pods of %q: %w", namespace, err)
	}
	return nil
}

// chosen are those that the options name, or all.
func (o Options) chosen(list []Situation) []Situation {
	if len(o.Only) == 0 {
		return list
	}
	return slices.DeleteFunc(list, func(s Situation) bool { return !slices.Contains(o.Only, s.Name) })
}

func joined(failed map[string]error) error {
	return errors.Join(slices.Collect(maps.Values(failed))...)
}
