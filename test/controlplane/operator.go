package controlplane

// Operator is one installation.
type Operator struct{}

func (op *Operator) stop() {}
