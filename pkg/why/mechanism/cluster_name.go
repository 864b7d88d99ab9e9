package mechanism

import "strings"

// clusterName is a name of the cluster's DNS: of a Service, or of a pod behind a headless one (content/en/docs/concepts/
// services-networking/dns-pod-service.md of kubernetes/website).
type clusterName struct {
	Pod       string // empty: it is of the Service itself
	Service   string
	Namespace string // empty: that of the pod that looks it up
	Svc       bool   // it says so itself; else one of two parts may be a name outside
	rest      string // ".cluster.local"
}

// clusterNameOf takes a host apart; false: it is a name outside.
func clusterNameOf(host string) (clusterName, bool) {
	short := strings.TrimSuffix(strings.TrimSuffix(host, "."), ".cluster.local")
	parts, out := strings.Split(short, "."), clusterName{rest: host[len(short):]}
	switch n := len(parts); {
	case n == 1:
		out.Service = parts[0]
		return out, short != ""
	case n == 2:
		out.Service, out.Namespace = parts[0], parts[1]
		return out, true
	case parts[n-1] != "svc":
		return clusterName{}, false
	default:
		out.Pod, out.Service, out.Namespace, out.Svc = strings.Join(parts[:n-3], "."), parts[n-3], parts[n-2], true
		return out, true
	}
}

// in is the name with a namespace.
func (c clusterName) in(namespace string) string {
	out := c.Service + "." + namespace
	if c.Pod != "" {
		out = c.Pod + "." + out
	}
	if c.Svc {
		out += ".svc"
	}
	return out + c.rest
}

// delimiters are what stands around a host in a value of a setting.
const delimiters = ":/,;@?= "

// partsOf are the parts of a value, and what stands around them.
func partsOf(value string) []string {
	var out []string
	for value != "" {
		n := strings.IndexAny(value, delimiters)
		switch {
		case n < 0:
			n = len(value)
		case n == 0:
			n = 1
		}
		out, value = append(out, value[:n]), value[n:]
	}
	return out
}

// wholeIn is where a host stands in a value of a setting, and not one that only begins or ends as it does.
func wholeIn(value, host string) []int {
	var out []int
	for from := 0; host != ""; {
		at := strings.Index(value[from:], host)
		if at < 0 {
			break
		}
		begin, end := from+at, from+at+len(host)
		before := begin == 0 || strings.IndexByte(delimiters, value[begin-1]) >= 0
		if after := end == len(value) || strings.IndexByte(delimiters, value[end]) >= 0; before && after {
			out = append(out, begin)
		}
		from = begin + 1
	}
	return out
}

// put is a value of a setting with a text in place of another one behind a host, wherever that host stands whole.
func put(value, host, was, to string) string {
	var out strings.Builder
	done := 0
	for _, at := range wholeIn(value, host) {
		behind := at + len(host)
		rest, is := strings.CutPrefix(value[behind:], was)
		if ofLonger := was != "" && rest != "" && rest[0] >= '0' && rest[0] <= '9'; !is || ofLonger || at < done {
			continue
		}
		out.WriteString(value[done:behind] + to)
		done = behind + len(was)
	}
	return out.String() + value[done:]
}
