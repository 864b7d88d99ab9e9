package scan

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// lookUpPicks makes a pick that names no object an error: "nothing to do" would look as if it were well. An object that
// exists and has no finding is well.
func (r Repair) lookUpPicks(ctx context.Context, run *run, in input) error {
	var list []error
	for _, p := range r.Picks {
		if p.Name == "" || p.Namespace == "" && in.snapshot.InNamespace(p.Name) {
			continue
		}
		i := slices.IndexFunc(run.selected, func(c check.Check) bool { return c.ID == p.Check })
		if i < 0 {
			continue
		}
		seen := in.snapshot.Only(run.selected[i].AllNeeds())
		if seen.Any(func(one *snapshot.Object) bool { return p.names(one.Ref) }) {
			continue
		}
		// A finding may be about what does not exist. What a check could not see may hold the object.
		result := check.Run(in.snapshot, run.selected[i:i+1], run.Params)[0]
		if blind(result) != "" || p.isIn(result) {
			continue
		}
		list = append(list, p.notFound(ctx, in, seen, result))
	}
	return run.unlessAllowed(errors.Join(list...))
}

// notFound says that there is no object that a pick names, and which one may be meant, or what the check finds instead.
func (p Pick) notFound(ctx context.Context, in input, seen *snapshot.Snapshot, of check.Result) error {
	if p.Namespace != "" && p.Kind == (snapshot.GroupKind{}) {
		if not := noNamespace(ctx, in, p.Namespace); not != "" {
			return empty("%s: %s%s"+allowHint, p, not, p.near(seen))
		}
	}
	instead := p.near(seen)
	if found := objectsOf(of); instead == "" && len(found) > 0 {
		instead = "; it finds " + few(found[:min(len(found), spelling.Few)])
		if more := len(found) - spelling.Few; more > 0 {
			instead += " and others"
		}
	}
	return empty("%s: not found: no object that %s looks at has this name%s"+allowHint, p, p.Check, instead)
}

// near are the objects that may be meant: those of this name elsewhere, or those whose names are like it.
func (p Pick) near(seen *snapshot.Snapshot) string {
	var same, all []string
	seen.Any(func(one *snapshot.Object) bool {
		name := strings.Trim(one.Namespace+"/"+one.Name, "/")
		all = append(all, name)
		if one.Name == p.Name {
			same = append(same, name)
		}
		return false
	})
	slices.Sort(same)
	if same = slices.Compact(same); len(same) > 0 {
		return spelling.Meant(same[:min(len(same), spelling.Few)])
	}
	return spelling.Meant(spelling.Nearest(strings.Trim(p.Namespace+"/"+p.Name, "/"), all, spelling.Few))
}

// objectsOf are the objects of the findings of a check.
func objectsOf(r check.Result) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, strings.Trim(f.Object.Namespace+"/"+f.Object.Name, "/"))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// lookUpFindings makes a finding that is picked and not there an error, unless its check could not look at everything.
func (r Repair) lookUpFindings(run *run, results []check.Result) error {
	var list []error
	for _, p := range r.Picks {
		i := slices.IndexFunc(results, func(r check.Result) bool { return r.Check.ID == p.Check })
		if p.Finding == "" || i < 0 {
			continue
		}
		var others []string
		there := false
		for _, f := range results[i].Findings {
			others = append(others, f.Fingerprint())
			there = there || f.Fingerprint() == p.Finding
		}
		slices.Sort(others)
		switch others = slices.Compact(others); {
		case there:
		case blind(results[i]) != "":
			r.Scan.note("no finding %s in what could be looked at: it is resolved, or never existed", p.Finding)
		case len(others) > 0:
			list = append(list, empty("no finding %s: it is resolved, or never existed; %s has %s"+allowHint, p.Finding, p.Check, few(others)))
		default:
			list = append(list, empty("no finding %s: it is resolved, or never existed; %s finds nothing"+allowHint, p.Finding, p.Check))
		}
	}
	return run.unlessAllowed(errors.Join(list...))
}
