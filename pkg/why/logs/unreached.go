package logs

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// toDriver returns the exception of an executor that did not reach the driver; nil: it has none. In client mode the driver has whatever
// host its executor was told; of a name that does not resolve, the exception that says so tells more than that it did not connect.
//
// A connection that is cut off has no name: it was to the driver where an executor looked the driver up, which it does before all else
// (run in core/src/main/scala/org/apache/spark/executor/CoarseGrainedExecutorBackend.scala@v3.5.5).
func toDriver(c *candidate, host string) *link {
	var named *link
	looksUp := slices.ContainsFunc(c.links, func(l link) bool {
		return slices.ContainsFunc(l.frames, func(f frame) bool { return strings.HasSuffix(f.name, lookUp) })
	})
	for i := range c.links {
		l := &c.links[i]
		if looksUp && cutOff(l) {
			return l
		}
		unknown := strings.HasSuffix(l.class, unknownHost)
		connects := unknown || strings.HasPrefix(l.message, "Failed to connect to") || strings.HasPrefix(l.message, "Connecting to ")
		switch {
		case !connects:
		case app.NamesDriverService(l.message):
			return l
		case namesHost(l.message, host) && (named == nil || unknown):
			named = l
		}
	}
	return named
}

const (
	unknownHost = "UnknownHostException"
	// lookUp asks the driver for the address of its scheduler (core/src/main/scala/org/apache/spark/rpc/RpcEnv.scala@v3.5.5).
	lookUp = "RpcEnv.setupEndpointRefByURI"
)

// cutOff reports whether a connection that was made ended before there was an answer (channelInactive in common/network-common/src/main/
// java/org/apache/spark/network/client/TransportResponseHandler.java@v3.5.5).
func cutOff(l *link) bool {
	closed := strings.HasPrefix(l.message, "Connection from ") && strings.HasSuffix(l.message, " closed")
	reset := l.message == "Connection reset by peer" || l.message == "Connection reset"
	return closed || reset || strings.HasSuffix(l.class, "ClosedChannelException")
}

// unreached is what an exception of an executor means that did not reach the driver.
func unreached(l *link, host string) DriverUnreached {
	if app.NamesDriverService(l.message) {
		return DriverUnreached{Cut: cutOff(l)}
	}
	if cutOff(l) && (host == "" || app.NamesDriverService(host)) {
		return DriverUnreached{Cut: true}
	}
	return DriverUnreached{Host: host, Cut: cutOff(l), Unknown: strings.HasSuffix(l.class, unknownHost)}
}

// namesHost reports whether a message names a host as a whole, before a port or not.
func namesHost(message, host string) bool {
	if host == "" {
		return false
	}
	return regexp.MustCompile(`(?:^|[^\w.-])` + regexp.QuoteMeta(host) + `(?:$|[^\w.-]|\.(?:\s|$))`).MatchString(message)
}
