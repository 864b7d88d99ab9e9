package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Hosts are the names under which a server answers. A web page can have its own name lead to this machine once a browser has loaded it
// (DNS rebinding), and would then read the report as its own: the browser still sends that page's name in the Host header. An IP
// address is no such name, so every one is answered: kubelet and Prometheus ask by that of the pod.
type Hosts struct {
	Allowed []string // besides the defaults; "*" is any
	Listen  string   // ADDRESS:PORT: its address is answered, and unless it is a loopback one the names of Services are, too
}

// ParseHosts reads names of hosts, without scheme and port.
func ParseHosts(list []string) ([]string, error) {
	out := make([]string, 0, len(list))
	for _, name := range list {
		if name == "" || name != "*" && strings.ContainsAny(name, "/:*@ ") {
			return nil, fmt.Errorf("--allowed-hosts takes names without scheme and port, not %q", name)
		}
		out = append(out, plainHost(name))
	}
	return out, nil
}

// Only answers requests for these hosts. The others get 421: they are misdirected (RFC 9110, section 15.5.20).
func (h Hosts) Only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.answers(r.Host) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		text(w, http.StatusMisdirectedRequest, fmt.Sprintf(
			"sparkdoctor does not answer for host %q: start it with --allowed-hosts if the name is yours\n", r.Host))
	})
}

// answers reports whether a Host header is of an allowed host. Browsers always send one.
func (h Hosts) answers(header string) bool {
	host := hostOf(header)
	if _, err := netip.ParseAddr(host); err == nil || host == "" || host == "localhost" {
		return true
	}
	listens := hostOf(h.Listen)
	ip, err := netip.ParseAddr(listens)
	loopback := listens == "localhost" || err == nil && ip.IsLoopback()
	service := !loopback && (strings.HasSuffix(host, ".svc") || strings.HasSuffix(host, ".svc.cluster.local"))
	allowed := slices.Contains(h.Allowed, host) || slices.Contains(h.Allowed, "*")
	return host == listens || service || allowed
}

// hostOf is the name in HOST, HOST:PORT or [ADDRESS]:PORT.
func hostOf(header string) string {
	host, _, err := net.SplitHostPort(header)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(header, "["), "]")
	}
	return plainHost(host)
}

func plainHost(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }
