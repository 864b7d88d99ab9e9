package checks

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// kindOf is a reference to any object that a view holds.
func kindOf(v View) snapshot.Ref {
	src, _ := snapshot.SourceOf(v)
	return snapshot.Ref{APIVersion: src.APIVersion(), Kind: src.Kind}
}

// restarts is the wish for a webhook's Deployment whose leader holds a Lease.
func restarts() fix.Restart {
	return fix.Restart{Deployment: kindOf(snapshot.Deployments), Lease: "any"}
}

// strips are the wishes to take an owner from any object that belongs to Spark.
func strips() []fix.Intent {
	var out []fix.Intent
	for _, need := range sparkObjectNeeds() {
		out = append(out, fix.StripOwner{Dependent: kindOf(need.View)})
	}
	return out
}

// stripsRoots are the wishes to take an owner from what users make: what belongs to that goes with it.
func stripsRoots() []fix.Intent {
	return []fix.Intent{
		fix.StripOwner{Dependent: kindOf(snapshot.SparkApplications)},
		fix.StripOwner{Dependent: kindOf(snapshot.ScheduledSparkApplications)},
		fix.StripOwner{Dependent: kindOf(snapshot.SparkConnects)},
	}
}

// releases are the wishes to remove finalizers: of the operator's objects and of drivers only.
func releases() []fix.Intent {
	return []fix.Intent{
		fix.RemoveFinalizer{Object: kindOf(snapshot.SparkApplications)},
		fix.RemoveFinalizer{Object: kindOf(snapshot.ScheduledSparkApplications)},
		fix.RemoveFinalizer{Object: kindOf(snapshot.SparkConnects)},
		fix.RemoveFinalizer{Object: kindOf(snapshot.SparkPods), App: kindOf(snapshot.SparkApplications)},
	}
}

func deletesPods() []fix.Intent {
	return []fix.Intent{fix.DeleteObject{Object: kindOf(snapshot.SparkPods), Absent: []snapshot.Ref{kindOf(snapshot.SparkApplications)}}}
}
