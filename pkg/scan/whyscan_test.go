package scan_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// ofOne are the options of a scan of one application with its case file, without a wait.
func ofOne(source scan.Source, c recordedCase) scan.Options {
	kind, name, _ := strings.Cut(c.Name, "/")
	kinds := map[string]string{"sparkapplication": "SparkApplication", "scheduledsparkapplication": "ScheduledSparkApplication",
		"sparkconnect": "SparkConnect"}
	p := check.DefaultParams()
	p.SettleAfter = 0
	return scan.Options{Source: source, CaseFile: true, Params: p, AllowEmpty: true, Subjects: scan.Subjects{
		Namespaces: []string{c.Namespace},
		Objects: []snapshot.Key{{GroupKind: snapshot.GroupKind{Group: snapshot.SparkGroup, Kind: kinds[kind]}, Namespace: c.Namespace,
			Name: name}},
	}}
}

// everyFourth of them that are about one of the operator's objects, so that the test is quick.
func everyFourth(t *testing.T) []recordedCase {
	t.Helper()
	var out []recordedCase
	for i, c := range servedCases(t) {
		if kind, _, _ := strings.Cut(c.Name, "/"); i%4 == 0 && kind != "pod" && strings.Contains(c.Name, "/") {
			out = append(out, c)
		}
	}
	require.Greater(t, len(out), 8)
	return out
}

// TestScanOfOneOpensWhatWhyAnswers: the case file of a scan is that of why, of a cluster and of files, and no listing is wider for it.
func TestScanOfOneOpensWhatWhyAnswers(t *testing.T) {
	for _, c := range everyFourth(t) {
		t.Run(c.ID, func(t *testing.T) {
			cluster, server := c.serve(t)
			files := scan.Files{Paths: []string{c.files(t)}, AsOf: c.AsOf, Recursive: true}
			for _, source := range []scan.Source{cluster, files} {
				asked := scan.WhyOptions{Options: ofOne(source, c), Subject: c.Name, Namespace: c.Namespace}
				want, err := scan.Why(t.Context(), asked)
				require.NoError(t, err)
				server.requests = nil
				d, err := scan.Diagnose(t.Context(), ofOne(source, c))
				require.NoError(t, err)
				require.NotNil(t, d.CaseFile)
				require.Equal(t, want, *d.CaseFile)
				for _, request := range server.requests {
					unselected := strings.HasPrefix(request, "/api/v1/pods?") && !strings.Contains(request, "Selector")
					require.False(t, unselected, request)
				}
				require.Less(t, len(server.requests), 200)
				none := ofOne(source, c)
				none.CaseFile = false
				d, err = scan.Diagnose(t.Context(), none)
				require.NoError(t, err)
				require.Nil(t, d.CaseFile, "nobody asked for it")
			}
		})
	}
}

// TestScanGoesOnWithoutLogs: a user who may not read logs gets the findings, and a case file that says what is missing.
func TestScanGoesOnWithoutLogs(t *testing.T) {
	c := caseNumbered(t, "048")
	_, server := c.serve(t)
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/log") {
			w.Header().Set("Date", c.AsOf.UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusForbidden)
			return
		}
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(refusing.Close)
	d, err := scan.Diagnose(t.Context(), ofOne(scan.Cluster{
		Connect:   func() (*apiserver.Connection, error) { return apiserver.Connect(&rest.Config{Host: refusing.URL}) },
		Namespace: c.Namespace, QPS: 1000, Burst: 1000,
	}, c))
	require.NoError(t, err)
	require.NotNil(t, d.CaseFile)
	require.Contains(t, missing(d.CaseFile), "log")
	require.NotEmpty(t, d.Results)
}

func missing(f *why.CaseFile) string {
	var b strings.Builder
	for _, u := range f.Unseen {
		b.WriteString(u.What + ": " + u.Reason + "\n")
	}
	return b.String()
}

// TestScanOfOneWithoutACaseFile: an application that is gone is no error of a scan that allows that, and several have no case file.
func TestScanOfOneWithoutACaseFile(t *testing.T) {
	c := everyFourth(t)[0]
	cluster, _ := c.serve(t)
	gone := ofOne(cluster, c)
	gone.Subjects.Objects[0].Name = "gone"
	d, err := scan.Diagnose(t.Context(), gone)
	require.NoError(t, err)
	require.Nil(t, d.CaseFile)
	two := ofOne(scan.Files{Paths: []string{c.files(t)}, AsOf: time.Now(), Recursive: true}, c)
	two.Subjects.Objects = append(two.Subjects.Objects, two.Subjects.Objects[0])
	d, err = scan.Diagnose(t.Context(), two)
	require.NoError(t, err)
	require.Nil(t, d.CaseFile)
}
