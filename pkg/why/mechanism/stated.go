package mechanism

// stated is what an object states of itself, for a proof: its reason, and its message if it has one.
func stated(reason, message string) string {
	if message == "" {
		return reason
	}
	return reason + ": " + message
}
