package html_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	dom "golang.org/x/net/html"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/html"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// document is what a browser makes of the page, as far as tests ask.
type document struct {
	elements map[string][]*dom.Node
	ids      map[string]*dom.Node
	text     string
}

func parseHTML(t *testing.T, r *report.Report) document {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, html.Write(&b, r, nil))
	return parsed(t, &b)
}

func parseCase(t *testing.T, f why.CaseFile) document {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, html.CaseFile(&b, reporttest.Document(f)))
	return parsed(t, &b)
}

func parsed(t *testing.T, page *bytes.Buffer) document {
	t.Helper()
	root, err := dom.Parse(page)
	require.NoError(t, err)
	d := document{elements: map[string][]*dom.Node{}, ids: map[string]*dom.Node{}}
	for n := range root.Descendants() {
		if n.Type != dom.ElementNode {
			continue
		}
		d.elements[n.Data] = append(d.elements[n.Data], n)
		if id := attribute(n, "id"); id != "" {
			require.Nil(t, d.ids[id], "two elements have the id %s", id)
			d.ids[id] = n
		}
	}
	d.text = textOf(root)
	return d
}

func textOf(n *dom.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == dom.TextNode && c.Parent.Data != "script" && c.Parent.Data != "style" {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func attribute(n *dom.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// TestHTMLAsksNobody: nothing in the page can be fetched, and nothing runs but what the policy names by its hash.
func TestHTMLAsksNobody(t *testing.T) {
	for name, r := range reporttest.All() {
		d := parseHTML(t, r)
		for tag, list := range d.elements {
			require.NotContains(t, []string{"link", "img", "iframe", "object", "embed", "base", "audio", "video", "source", "use", "image"}, tag,
				name)
			for _, n := range list {
				for _, a := range n.Attr {
					require.False(t, a.Key == "src" || a.Key == "srcset" || a.Key == "style" || strings.HasPrefix(a.Key, "on"), "%s: %s has %s", name, tag,
						a.Key)
					if a.Key == "href" {
						require.True(t, strings.HasPrefix(a.Val, "#"), "%s: %s", name, a.Val)
						require.NotNil(t, d.ids[a.Val[1:]], "%s: %s leads nowhere", name, a.Val)
					}
				}
			}
		}
		require.Len(t, d.elements["script"], 1, name)
		require.Len(t, d.elements["style"], 1, name)
		policy := ""
		for _, meta := range d.elements["meta"] {
			if attribute(meta, "http-equiv") == "Content-Security-Policy" {
				policy = attribute(meta, "content")
			}
		}
		require.Equal(t,
			"default-src 'none'; base-uri 'none'; form-action 'none'; style-src '"+
				hashOf(d.elements["style"][0])+"'; script-src '"+hashOf(d.elements["script"][0])+"'", policy)
		require.NotContains(t, d.elements["style"][0].FirstChild.Data, "url(")
	}
}

func hashOf(n *dom.Node) string {
	sum := sha256.Sum256([]byte(n.FirstChild.Data))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func TestHTMLSaysWhatTheReportSays(t *testing.T) {
	r := reporttest.Night()
	d := parseHTML(t, r)
	require.Len(t, d.elements["article"], len(r.Items))
	for _, item := range r.Items {
		article := d.ids[item.Metadata.Name]
		require.NotNil(t, article)
		text := textOf(article)
		require.Contains(t, text, report.Escape(item.Message))
		require.Contains(t, text, report.Escape(item.Object.Name), "hostile or not, it is text")
		require.Contains(t, text, item.Evidence[0].Field)
	}
	require.Contains(t, textOf(d.ids["sd2002-"+r.Items[4].Metadata.Name[7:]]), "and 11 more")
	require.Contains(t, d.text, "ADMISSION BROKEN certificate, in 2 namespaces: team-a, team-b")
	require.Contains(t, textOf(d.ids["check-SD2001"]), "What to do", "the page of the check")
	require.Empty(t, parseHTML(t, reporttest.Clean()).elements["svg"], "nothing was measured")

	partial := parseHTML(t, reporttest.Partial())
	require.Contains(t, partial.text, "No findings in what could be looked at")
	require.Contains(t, partial.text, "could not list mutatingwebhookconfigurations: forbidden")
	require.Contains(t, textOf(partial.ids["check-SD2001"]), `could not list pods in namespace team-c: pods is forbidden`)
}

func TestGateHTMLSaysWhatTheReportSays(t *testing.T) {
	r := reporttest.Gate()
	d := parseHTML(t, r)
	require.Contains(t, d.text, "NO-GO")
	require.Contains(t, textOf(d.elements["header"][0]), "3 errors; 1 check could not look")
	require.Contains(t, textOf(d.ids["verdict"]), "because its sparkConf sets spark.master", "what blocks it")
	require.Contains(t, d.text, "spark-operator/spark-operator-controller", "what is upgraded")
	require.Nil(t, parseHTML(t, reporttest.GateGo()).ids["verdict"], "nothing blocks it")
	commands := 0
	for _, s := range r.Gate.Runbook {
		require.Contains(t, d.text, report.Escape(s.Do))
		for _, c := range s.Commands {
			require.Contains(t, d.text, report.Escape(c), "all commands are there")
			commands++
		}
	}
	require.Greater(t, commands, 15)
	require.Contains(t, textOf(d.ids[r.Items[0].Metadata.Name]), "hop 2.4.0")
}

// TestPagesHaveOneFrame: a scan, a gate and a case file have the same style, the same script, and the same head.
func TestPagesHaveOneFrame(t *testing.T) {
	scan, gate := parseHTML(t, reporttest.Night()), parseHTML(t, reporttest.Gate())
	file := parseCase(t, reporttest.FullCaseFile())
	for _, d := range []document{gate, file} {
		for _, one := range []string{"style", "script"} {
			require.Equal(t, hashOf(scan.elements[one][0]), hashOf(d.elements[one][0]))
		}
		require.Len(t, d.elements["h1"], 1)
	}
	for d, words := range map[*document]string{&scan: "3 errors, 2 warnings", &gate: "NO-GO", &file: "Killed by the cluster"} {
		require.Contains(t, textOf(d.elements["header"][0]), words)
	}
	require.Contains(t, textOf(file.elements["header"][0]), "The driver exceeded its 1433 MiB container limit and was killed")
	require.Contains(t, textOf(file.elements["title"][0]), "payments/nightly-etl: Killed by the cluster")
}

// TestCaseFileSaysAllOfIt: what the drawing and the answer say stands in no list below them.
func TestCaseFileSaysAllOfIt(t *testing.T) {
	d := parseCase(t, reporttest.FullCaseFile())
	for _, text := range []string{"40 asked, 40 ran, 37 completed, 3 lost (2 node drain, 1 OOMKilled), 0 pending",
		"01:02:15 to 02:02:15 UTC, OOMKilled (137), for the same reason", "spec.driver.memoryOverhead: unset (409m) → 1126m"} {
		require.Contains(t, d.text, text)
	}
	var headings []string
	for _, h := range d.elements["h2"] {
		headings = append(headings, textOf(h))
	}
	require.Equal(t, []string{"When", "Next", "Evidence", "Other observations", "Ruled out", "Context", "Also", "Could not be seen"}, headings)

	f := reporttest.FullCaseFile()
	f.Causes[0].Class, f.Causes[0].Brief = cause.Unknown, "its pod and its log are gone"
	header := textOf(parseCase(t, f).elements["header"][0])
	require.Contains(t, header, "Cause not found")
	require.Contains(t, header, "Its pod and its log are gone")
}

// TestForgedReportIsInert: no text of a report that somebody wrote by hand becomes a script or leads out of the page.
func TestForgedReportIsInert(t *testing.T) {
	d := parseHTML(t, reporttest.Forged(t))
	require.Len(t, d.elements["script"], 1)
	for _, a := range d.elements["a"] {
		require.True(t, strings.HasPrefix(attribute(a, "href"), "#"))
	}
	require.Len(t, parseHTML(t, reporttest.HostileGate(t)).elements["script"], 1)
}
