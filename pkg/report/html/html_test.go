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
	root, err := dom.Parse(&b)
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
	require.Contains(t, d.text, "3 errors; 1 check could not look")
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

// TestForgedReportIsInert: no text of a report that somebody wrote by hand becomes a script or leads out of the page.
func TestForgedReportIsInert(t *testing.T) {
	d := parseHTML(t, reporttest.Forged(t))
	require.Len(t, d.elements["script"], 1)
	for _, a := range d.elements["a"] {
		require.True(t, strings.HasPrefix(attribute(a, "href"), "#"))
	}
	require.Len(t, parseHTML(t, reporttest.HostileGate(t)).elements["script"], 1)
}
