package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestForeignHosts: whatever is asked for, in whatever spelling, a server answers only under names that cannot be a web page's.
func TestForeignHosts(t *testing.T) {
	foreign := []string{"evil.example", "evil.example:8484", "EVIL.example.", "localhost.evil.example", "127.0.0.1.evil.example", "svc",
		"evil.svc.example", "sparkdoctor.sparkdoctor.svc.evil.example", "127.0.0.1@evil.example", "2130706433", "evil.example:80:80", "*",
		"[::1].evil.example"}
	services := []string{"sparkdoctor.sparkdoctor.svc", "sparkdoctor.sparkdoctor.svc:8484", "sparkdoctor.sparkdoctor.svc.cluster.local."}
	own := []string{"localhost", "LocalHost:8484", "localhost.", "127.0.0.1:8484", "[::1]:8484", "[::1]", "10.244.1.7:8484", "[fd00::7]:8484",
		""}
	short := []string{"sparkdoctor", "sparkdoctor:8484", "sparkdoctor.sparkdoctor", "doctor.example.com"}
	named := []string{"sparkdoctor", "sparkdoctor.sparkdoctor", "doctor.example.com"}
	for _, tc := range []struct {
		hosts   Hosts
		answers [][]string
		refuses [][]string
	}{
		{Hosts{Listen: "127.0.0.1:8484"}, [][]string{own}, [][]string{foreign, services, short}},
		{Hosts{Listen: "[::1]:8484"}, [][]string{own}, [][]string{foreign, services, short}},
		{Hosts{Listen: "localhost:8484"}, [][]string{own}, [][]string{foreign, services, short}},
		{Hosts{Listen: ":8484"}, [][]string{own, services}, [][]string{foreign, short}},
		{Hosts{Listen: ":8484", Allowed: named}, [][]string{own, services, short}, [][]string{foreign}},
		{Hosts{Listen: "doctor.example.com:8484"}, [][]string{own, services, short[3:]}, [][]string{foreign, short[:3]}},
		{Hosts{Listen: ":8484", Allowed: []string{"*"}}, [][]string{own, services, short, foreign}, nil},
	} {
		p := &Published{Now: time.Now}
		handler := tc.hosts.Only(p.Handler())
		ask := func(host, path string) int {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
			r.Host = host
			handler.ServeHTTP(w, r)
			if w.Code == http.StatusMisdirectedRequest {
				require.Contains(t, w.Body.String(), "--allowed-hosts")
				require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
			}
			return w.Code
		}
		for _, path := range []string{"/", "/report.json", "/metrics", "/healthz", "/readyz", "/nothing"} {
			for _, list := range tc.answers {
				for _, host := range list {
					require.NotEqual(t, http.StatusMisdirectedRequest, ask(host, path), "%s listening on %s", host, tc.hosts.Listen)
				}
			}
			for _, list := range tc.refuses {
				for _, host := range list {
					require.Equal(t, http.StatusMisdirectedRequest, ask(host, path), "%s listening on %s", host, tc.hosts.Listen)
				}
			}
		}
	}
}

func TestParseHosts(t *testing.T) {
	list, err := ParseHosts([]string{"Doctor.Example.com.", "*"})
	require.NoError(t, err)
	require.Equal(t, []string{"doctor.example.com", "*"}, list)
	for _, wrong := range []string{"", "https://a", "a:80", "*.a", "a/b", "u@a"} {
		_, err := ParseHosts([]string{wrong})
		require.Error(t, err, wrong)
	}
}
