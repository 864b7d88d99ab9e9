package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// What is between two pods explains why one does not reach the other: a policy, a mesh, a name.

func webhookInMesh(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		mesh, is := mechanism.CutOffByMesh(v, &a.Cause)
		if !is {
			continue
		}
		a.Certainty = check.Likely // whether the mesh insists on mTLS was not read
		a.add(Because, mesh)
		a.Advice = []cause.Cause{mesh}
	}
	return all
}

func webhookUntrusted(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		untrusted, is := mechanism.UntrustedWebhook(v, &a.Cause)
		if !is {
			continue
		}
		a.head(untrusted)
		a.Evidence = slices.Concat(a.Evidence, untrusted.Evidence)
		a.Advice = []cause.Cause{untrusted}
	}
	return all
}

func policyBlocks(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		_, blocks := a.Detail.(mechanism.DriverBlocks)
		if !Logged(&a.Cause) && !blocks {
			continue
		}
		policy, is := mechanism.BlockedByPolicy(v, &a.Cause)
		if !is {
			continue
		}
		a.Certainty = check.Likely // whether the network enforces policies, the API does not tell
		if a.Effect || a.Class == cause.Unknown {
			a.Class, a.Effect = cause.Network, false
		}
		a.Clauses = slices.Clone(a.Clauses)
		if !blocks {
			a.Clauses[0].Form = Symptom
		}
		a.head(policy)
		a.Evidence = slices.Concat(a.Evidence, policy.Evidence)
		a.Advice = []cause.Cause{policy}
	}
	return all
}

func proxyLate(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		if !Logged(&a.Cause) {
			continue
		}
		if late, is := mechanism.BeforeItsProxy(v, &a.Cause); is {
			a.head(late)
			a.Evidence = slices.Concat(late.Evidence[:1], a.Evidence, late.Evidence[1:])
			a.Advice = []cause.Cause{late}
		}
	}
	return all
}

func meshOneSided(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		if !Logged(&a.Cause) {
			continue
		}
		if mesh, is := mechanism.OutsideItsMesh(v, &a.Cause); is {
			a.head(mesh)
			a.Certainty = check.Likely // whether the mesh insists on mTLS was not read
			a.Evidence = slices.Concat(a.Evidence, mesh.Evidence)
			a.Advice = []cause.Cause{mesh}
		}
	}
	return all
}

func driverNotReady(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		if !Logged(&a.Cause) || !a.Topics.Has(cause.DriverName) {
			continue
		}
		if unready, is := mechanism.NameOfUnready(v, &a.Cause); is {
			a.add(Also, unready)
			a.Advice = []cause.Cause{unready}
		}
	}
	return all
}
