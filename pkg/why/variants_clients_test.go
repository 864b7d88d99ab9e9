package why_test

import (
	"strings"
	"testing"
)

// TestWordsAboutCredentials: what a library says of credentials, the catalogue need not know.
func TestWordsAboutCredentials(t *testing.T) {
	const known = "in the configuration, and its container inbox is not accessible using anonymous credentials"
	const deepest = "Public access is not"
	answerVariants(t, map[string]variant{
		"the catalogue knows": {of: "1108", class: "credentials", says: []string{"tariffslanding.blob.core.windows.net", "inbox"}},
		"the words tell": {of: "1108", logs: []string{known, "here, container inbox"}, class: "credentials",
			says: []string{"access was refused"}},
		"nothing tells": {of: "1108", logs: []string{known, "here", "No credentials found", "Nothing found", deepest, "Access was",
			"you have to provide account credentials", "look there"}, class: "unknown"},
	})
}

// TestIdentitiesThatAreNotReached: why no identity was found is a part of the answer; a cluster elsewhere has no such service.
func TestIdentitiesThatAreNotReached(t *testing.T) {
	const host = "UnknownHostException: metadata.google.internal"
	answerVariants(t, map[string]variant{
		"its name does not resolve": {of: "1020", class: "credentials",
			says: []string{"before that it did not reach metadata.google.internal, which gives pods an identity (UnknownHostException)"}},
		"another name": {of: "1020", logs: []string{host, "UnknownHostException: metrics.example.net"}, class: "credentials",
			not: []string{"before that"}},
		"it answered": {of: "1020", logs: []string{host, "IllegalStateException: metadata.google.internal said 404"},
			class: "credentials", not: []string{"before that"}},
	})
}

// TestNamesThatHDFSTakesForHosts: a name without a domain, which HDFS asks for, may be a nameservice.
func TestNamesThatHDFSTakesForHosts(t *testing.T) {
	const name = "UnknownHostException: landreg"
	answerVariants(t, map[string]variant{
		"a nameservice": {of: "1086", class: "configuration", says: []string{"HDFS takes landreg for a host"}},
		"a host":        {of: "1086", logs: []string{name, name + ".example.net"}, class: "network", not: []string{"HDFS takes"}},
		"of another client": {of: "1086", logs: []string{"org.apache.hadoop.hdfs.NameNodeProxiesClient.", "net.example.Other."},
			class: "network", not: []string{"HDFS takes"}},
	})
}

// TestRefusedConnections: a service that refuses how a client connects was reached.
func TestRefusedConnections(t *testing.T) {
	const says = "Public Key Retrieval is not allowed"
	answerVariants(t, map[string]variant{
		"MySQL's key": {of: "971", class: "configuration", says: []string{"allowPublicKeyRetrieval"}},
		"in other words": {of: "971", logs: []string{says, "Plain text login is not permitted"}, class: "configuration",
			says: []string{"how the client connects was refused"}},
		"a connection that fails": {of: "971", logs: []string{says, "Connection reset by peer"}, class: "network"},
	})
}

// TestMetastoreThatFailsItself: its client hands on what the metastore met, and only then it is about the metastore.
func TestMetastoreThatFailsItself(t *testing.T) {
	const received = "\tat org.apache.thrift.TServiceClient.receiveBase(TServiceClient.java:88)\n"
	answerVariants(t, map[string]variant{
		"received": {of: "776", class: "dependency", says: []string{"the Hive metastore itself failed", "where the metastore runs"}},
		"raised in the driver": {of: "776", logs: []string{received, ""},
			class: "dependency", says: []string{"hadoop-aws"}, not: []string{"metastore itself"}},
	})
}

// TestServersThatDoNotAnswer: which server it was is said, though an exception above the root names it.
func TestServersThatDoNotAnswer(t *testing.T) {
	answerVariants(t, map[string]variant{
		"by its class": {of: "1135", class: "network", says: []string{"the exception names clicks-clickhouse.adstats.svc:9440"}},
		"by its words": {of: "1135", logs: []string{"NoHttpResponseException", "StoreException"}, class: "network",
			says: []string{"failed to respond", "9440"}},
		"an answer": {of: "1135", logs: []string{"NoHttpResponseException", "StoreException", "The target server failed to respond",
			"Code 60"}, class: "unknown"},
	})
}

// TestPoliciesBeforeBlocksOfTheDriver: a policy that leaves out the driver's block manager is named. One that has it, or is newer than
// the failure, is not, and none is where the connection was refused: it got through.
func TestPoliciesBeforeBlocksOfTheDriver(t *testing.T) {
	const port = "port: 7078\n  - from:"
	const since = "creationTimestamp: '2026-11-28T15:40:11Z'\n  labels:\n    app.kubernetes.io/managed-by: argocd"
	answerVariants(t, map[string]variant{
		"left out": {of: "1598", class: "network", says: []string{"NetworkPolicy spark-driver-ingress lets the executors connect to the driver " +
			"only on port 7078, not on 7079", "cannot fetch blocks"}},
		"listed, too": {of: "1598", objects: []string{port, "port: 7078\n    - protocol: TCP\n      port: 7079\n  - from:"}, class: "network",
			says: []string{"cannot fetch blocks"}, not: []string{"spark-driver-ingress"}},
		"refused": {of: "1598", logs: []string{"Connecting to feature", "Failed to connect to feature", " timed out (120000 ms)", ""},
			class: "network", says: []string{"cannot fetch blocks"}, not: []string{"spark-driver-ingress"}},
		"made later": {of: "1598", objects: []string{since, strings.Replace(since, "11-28T15:40:11", "12-28T15:40:11", 1)}, class: "network",
			says: []string{"cannot fetch blocks"}, not: []string{"spark-driver-ingress"}},
	})
}
