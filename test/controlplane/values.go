package controlplane

// Values of the chart let the programs run beside the cluster: a port of the webhook that is free here, and the mark that
// leaves their pods to us. Empty where the programs run on a node.
func (op *Operator) Values() map[string]any {
	if op.relay == nil {
		return map[string]any{}
	}
	mark := map[string]any{NotKwok: "true"}
	return map[string]any{
		controller: map[string]any{"annotations": mark},
		webhook:    map[string]any{"annotations": mark, "port": op.relay.Port},
	}
}

func (op *Operator) values() string { return op.cp.file("values-" + op.Release + ".json") }

// Merge writes from into to, map by map.
func Merge(to, from map[string]any) {
	for key, value := range from {
		below, isMap := value.(map[string]any)
		existing, wasMap := to[key].(map[string]any)
		if isMap && wasMap {
			Merge(existing, below)
			continue
		}
		to[key] = value
	}
}

// webhookPort returns the port that the caller's values ask for; 0 means any that is free, so that
// several clusters can run at once.
func webhookPort(values map[string]any) int {
	below, _ := values[webhook].(map[string]any)
	port, _ := below["port"].(int)
	return port
}
