package ownership

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// strips are the intents to take an owner from any object that belongs to Spark.
func strips() []fix.Intent {
	var out []fix.Intent
	for _, need := range sparkObjectNeeds() {
		out = append(out, fix.StripOwner{Dependent: facts.KindOf(need.View)})
	}
	return out
}

// stripsRoots are the intents to take an owner from what users make: what belongs to that goes with it.
func stripsRoots() []fix.Intent {
	return []fix.Intent{
		fix.StripOwner{Dependent: facts.KindOf(snapshot.SparkApplications)},
		fix.StripOwner{Dependent: facts.KindOf(snapshot.ScheduledSparkApplications)},
		fix.StripOwner{Dependent: facts.KindOf(snapshot.SparkConnects)},
	}
}

// releases are the intents to remove finalizers: of the operator's objects and of drivers only.
func releases() []fix.Intent {
	return []fix.Intent{
		fix.RemoveFinalizer{Object: facts.KindOf(snapshot.SparkApplications)},
		fix.RemoveFinalizer{Object: facts.KindOf(snapshot.ScheduledSparkApplications)},
		fix.RemoveFinalizer{Object: facts.KindOf(snapshot.SparkConnects)},
		fix.RemoveFinalizer{Object: facts.KindOf(snapshot.SparkPods), App: facts.KindOf(snapshot.SparkApplications)},
	}
}

// strip is the intent to keep an object whose owner the garbage collector does not find.
func strip(o *snapshot.Object, ref snapshot.OwnerReference, home string, owners snapshot.Ownership) []fix.Intent {
	return []fix.Intent{fix.StripOwner{
		Dependent: o.Ref, Home: home,
		Owner: snapshot.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: ownerNamespace(owners, o, ref), Name: ref.Name, UID: ref.UID},
	}}
}
