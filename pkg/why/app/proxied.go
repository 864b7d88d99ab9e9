package app

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// maxProxied bounds the lines that are kept: they are alike.
const maxProxied = 3

// proxied reads what an ingress controller of nginx says of calls of the server of a SparkConnect that it forwards: it took what the server
// answered for no HTTP/1 (src/http/modules/ngx_http_proxy_module.c@release-1.27.0, ngx_http_proxy_process_status_line). The line names the
// address that it called.
func (s *sorter) proxied(l *Log) {
	const invalid = "upstream sent no valid HTTP/1.0 header"
	if s.applicationKind() != connect || !strings.Contains(l.Tail, invalid) {
		return
	}
	for i := range s.e.Pods {
		ip := s.e.Pods[i].Status.PodIP
		if ip == "" || RoleOf(&s.e.Pods[i]) == "executor" {
			continue
		}
		for line := range strings.Lines(l.Tail) {
			if strings.Contains(line, invalid) && strings.Contains(line, `upstream: "http://`+ip+":") && len(s.e.Proxied) < maxProxied {
				s.e.Proxied = append(s.e.Proxied, Said{Container: l.Container, Text: strings.TrimSpace(line), At: nginxTime(line),
					Pod: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: l.Namespace, Name: l.Pod}})
			}
		}
	}
}

// nginxTime is the time of a line of nginx, which writes it without a zone: most containers are in UTC.
func nginxTime(line string) time.Time {
	const layout = "2006/01/02 15:04:05"
	at, err := time.Parse(layout, line[:min(len(line), len(layout))])
	if err != nil {
		return time.Time{}
	}
	return at
}
