package snapshot

import (
	"net/url"
	"strings"
)

// ProxyHosts is what is kept of an environment variable: where the HTTP proxy of a process is, without its user and password, and the hosts
// that are reached without it. Empty: it is another variable, whose value may be a secret.
func ProxyHosts(variable, value string) string {
	switch strings.ToUpper(variable) {
	case "NO_PROXY":
		return value
	case "HTTPS_PROXY":
		u, err := url.Parse(value)
		if err != nil || u.Host == "" {
			return ""
		}
		return u.Scheme + "://" + u.Host
	default:
		return ""
	}
}
