package snapshot

// ServedCertificate is what one webhook pod answered to a TLS hello for the name of its Service. It is only asked for
// where the user wants it.
type ServedCertificate struct {
	Object            // the pod
	ServerName string // the name that was greeted
	Chain      Bundle // as served, the leaf first
	Problem    string // why there is no chain, in a few words
}
