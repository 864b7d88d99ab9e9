package why_test

import "testing"

// TestConnectionsThatTheAPIServerEnds: a driver that starts follows from nothing; with HTTP/2 on Java 8 it is its client.
func TestConnectionsThatTheAPIServerEnds(t *testing.T) {
	const begins = "okhttp3.internal.http2.Http2Connection.start"
	answerVariants(t, map[string]variant{
		"as HTTP/2 begins": {of: "1127", class: "dependency", says: []string{"HTTP/2", "Java 8u251"}},
		"otherwise": {of: "1127", logs: []string{begins, "okhttp3.internal.http1.Http1Codec.write"}, class: "network",
			says: []string{"API server ended the driver's connection"}, not: []string{"HTTP/2"}},
		"of another server": {of: "1127", logs: []string{"io.fabric8.kubernetes.client.KubernetesClientException: Operation",
			"net.example.StoreException: Operation"}, class: "unknown"},
	})
}

// TestWatchesThatAreRefused: with a reason it is the account; without one it is the client.
func TestWatchesThatAreRefused(t *testing.T) {
	const bare = "Exec Failure: HTTP 403, Status: 403 - \n"
	answerVariants(t, map[string]variant{
		"no reason": {of: "1075", class: "dependency", says: []string{"403 and gives no reason"}},
		"forbidden": {of: "1075", logs: []string{bare, "Exec Failure: HTTP 403, Status: 403 - pods is forbidden: User " +
			`"system:serviceaccount:legacy-risk:spark" cannot watch resource "pods" in API group "" in the namespace "legacy-risk"` + "\n"},
			class: "credentials"},
		"not said": {of: "1075", logs: []string{bare, "Closed\n"}, class: "unknown"},
	})
}

// TestAPIServersThatAreNotReached are named; another server is not taken for it.
func TestAPIServersThatAreNotReached(t *testing.T) {
	const client = "io.fabric8.kubernetes.client.KubernetesClientException: Operation: [get]"
	answerVariants(t, map[string]variant{
		"its client says so": {of: "1173", class: "network", says: []string{"the Kubernetes API server cannot be reached",
			"connect timed out"}},
		"another does": {of: "1173", logs: []string{client, "net.example.StoreException: Operation: [get]"}, class: "network",
			not: []string{"API server"}},
	})
}
