package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Writer applies plans to one cluster. Of a Repair it verifies; by itself, in an undo, there is nothing to verify.
type Writer struct {
	Client  *apply.Client
	Cluster string // UID of a namespace of it
	// Namespace is the one whose UID it is, and then the only one that is written to; empty: kube-system, and any.
	Namespace string
	// WhoAmI asks for the name of the user as the API server knows it; nil: the name is not needed.
	WhoAmI func(context.Context) (string, error)
}

// OtherClusterError says that a plan or a record is of another cluster.
type OtherClusterError struct{ Server string }

func (e *OtherClusterError) Error() string {
	return "it was made for another cluster (" + e.Server + ")"
}

// NewWriter asks the cluster who it is.
func NewWriter(ctx context.Context, client *apply.Client) (Writer, error) {
	uid, err := client.ClusterUID(ctx, apply.System)
	return Writer{Client: client, Cluster: uid}, err
}

// NewWriterWithin asks for a namespace instead, beyond which it writes nothing: for those who may not read kube-system.
func NewWriterWithin(ctx context.Context, client *apply.Client, namespace string) (Writer, error) {
	uid, err := client.ClusterUID(ctx, namespace)
	return Writer{Client: client, Cluster: uid, Namespace: namespace}, err
}

func (w Writer) resolve(ctx context.Context, c plan.Candidate) plan.Resolved {
	fresh, err := w.Client.Fetch(ctx, fix.TraitsOf(c.Intent).Reads)
	if err != nil {
		return plan.Resolved{Candidate: c, Err: err}
	}
	return plan.ResolvedFrom(c, fresh)
}

// of reports whether it writes to the cluster of a plan or a record.
func (w Writer) of(c plan.Cluster) bool { return c.UID == w.Cluster && c.Namespace == w.Namespace }

// Undo plans what takes a record back, with what is back already. The error is an OtherClusterError for the record of
// another cluster, and a fix.Unowned for one that says that fix wrote what another field manager did.
func (w Writer) Undo(ctx context.Context, record plan.Record) (p plan.Plan, done []plan.Resolved, err error) {
	if !w.of(record.Cluster) {
		return plan.Plan{}, nil, &OtherClusterError{record.Cluster.Server}
	}
	back, left := record.Undo(w.Client.Manager())
	resolved := make([]plan.Resolved, 0, len(back))
	for _, c := range back {
		if plan.Beyond(w.Namespace, fix.TraitsOf(c.Intent)) {
			return plan.Plan{}, nil, &fix.Refused{Reason: "it is bound to namespace " + w.Namespace + ", and writes beyond it"}
		}
		r := w.resolve(ctx, c)
		var nothing *fix.Done
		if errors.As(r.Err, &nothing) {
			done = append(done, r)
			continue
		}
		var unowned *fix.Unowned
		if errors.As(r.Err, &unowned) {
			return plan.Plan{}, nil, unowned
		}
		resolved = append(resolved, r)
	}
	return plan.NewPlan(record.Cluster, now(), resolved, left), done, nil
}

// LackingError says which permissions the user lacks for a plan: those that were asked about, or what the server said when
// it tried a fix.
type LackingError struct {
	Permissions []plan.Permission
	Fix         int // its id, if the server refused it
	Err         error
	Rights      command.Rights // what grants them, as far as they are in namespaces; empty: nothing does
}

func (e *LackingError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("missing permission for fix %d: %v", e.Fix, e.Err)
	}
	return fmt.Sprintf("missing permissions: %d", len(e.Permissions))
}

// Allowed refuses a plan for which the user lacks permissions, with a LackingError: nothing is better than half a fix. It
// returns the fixes that the server would not take from any user, by id.
func (w Writer) Allowed(ctx context.Context, p plan.Plan) (refused map[int]error, err error) {
	if err := w.Lacks(ctx, p); err != nil {
		return nil, err
	}
	runner := &apply.Runner{Client: w.Client, Now: now}
	refused = runner.Preflight(ctx, p)
	for _, f := range p.Fixes {
		if err := refused[f.ID]; err != nil && apply.Forbids(err) {
			return nil, &LackingError{Fix: f.ID, Err: err}
		}
	}
	return refused, nil
}

// rights are those of rbac that hold what the user lacks, in the namespaces where that is. What is in none is the operator's: an
// administrator repairs it.
func (w Writer) rights(ctx context.Context, lacks []plan.Permission) command.Rights {
	out := command.Rights{For: command.ForFix}
	for _, p := range lacks {
		if p.Object.Namespace == "" {
			return command.Rights{}
		}
		out.Namespaces = append(out.Namespaces, p.Object.Namespace)
	}
	slices.Sort(out.Namespaces)
	out.Namespaces = slices.Compact(out.Namespaces)
	if w.WhoAmI != nil {
		if user, err := w.WhoAmI(ctx); err == nil {
			out.User = user
		}
	}
	return out
}

// Lacks returns a LackingError if the user may not write all that a plan does.
func (w Writer) Lacks(ctx context.Context, p plan.Plan) error {
	lacks, err := w.Client.Lacks(ctx, p.Permissions())
	if err == nil && len(lacks) > 0 {
		return &LackingError{Permissions: lacks, Rights: w.rights(ctx, lacks)}
	}
	return err
}

// Try has the server try every step, and writes nothing.
func (w Writer) Try(ctx context.Context, p plan.Plan, tell func(plan.Fix, apply.Outcome)) []apply.Outcome {
	runner := &apply.Runner{Client: w.Client, Now: now, Tell: tell}
	runner.Run(ctx, p, func(plan.Fix) bool { return true })
	return runner.Outcomes(p)
}

// NewJournal prepares the record of a plan in a directory. If it could not be written nothing must be applied.
func NewJournal(dir string, p plan.Plan, tool report.Tool) (*apply.Journal, error) {
	return apply.NewJournal(dir, plan.HeaderOf(p, now(), tool.Version))
}

// now is the time for plans and records.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
