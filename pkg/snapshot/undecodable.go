package snapshot

// Undecodable is a value that the operator's typed decoder does not take, though the API server does: it is in a pod
// template, which the CRD does not describe (x-kubernetes-preserve-unknown-fields, config/crd/bases/
// sparkoperator.k8s.io_sparkapplications.yaml@v2.5.2).
type Undecodable struct {
	Path string // "spec.driver.template.spec.containers[0].env[1].value"
	Text string // "is a number, not a string"; never the value, which may be secret
}
