package operator

// Down reports whether no replica of the controller is ready, so that no application moves. A Deployment without any
// status says nothing.
func (in *Installation) Down() bool {
	d := in.Controller
	return d != nil && (d.Replicas == 0 || d.Ready == 0 && !d.Changed.IsZero())
}
