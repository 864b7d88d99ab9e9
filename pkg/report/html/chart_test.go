package html_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	dom "golang.org/x/net/html"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// bars are the rows of a chart: label, width of what is there now, class and value.
func bars(t *testing.T, d document, id string) [][]string {
	t.Helper()
	require.NotNil(t, d.ids[id], id)
	var out [][]string
	for n := range d.ids[id].Parent.Descendants() {
		if n.Data != "li" {
			continue
		}
		var row []string
		for c := range n.Descendants() {
			switch class := attribute(c, "class"); {
			case c.Type == dom.ElementNode && (class == "label" || class == "value"):
				row = append(row, textOf(c))
			case c.Data == "rect" && strings.HasPrefix(class, "now "):
				row = append(row, attribute(c, "width"), strings.TrimPrefix(class, "now "))
			}
		}
		out = append(out, row)
	}
	return out
}

func TestChartsAreSorted(t *testing.T) {
	d := parseHTML(t, reporttest.Night())
	sizes := bars(t, d, "sizes")
	require.Len(t, sizes, 4)
	require.Equal(t, []string{"team-a/streaming", "93.3", "error", "93.3% (1.4 MiB)"}, sizes[0])
	long := "team-with-a-rather-long-name/hourly-aggregation-of-clickstream-events-eu"
	require.Equal(t, []string{long, "25.4", "info", "25.4% (390 KiB)"}, sizes[2], "the whole name")
	for i := range sizes[1:] {
		before, _ := strconv.ParseFloat(sizes[i][1], 64)
		after, _ := strconv.ParseFloat(sizes[i+1][1], 64)
		require.GreaterOrEqual(t, before, after)
	}
	growth := bars(t, d, "growth")
	require.Len(t, growth, 2)
	require.Equal(t, []string{"team-a/streaming", "93.3", "error", "full in 3 h (06:14 UTC), +34 KiB/h"}, growth[0])
	require.Equal(t, "warning", growth[1][2])
	certificates := bars(t, d, "certificates")
	require.Equal(t, []string{"spark-operator/webhook-certs (server)", "0.5", "error", "expires in 60 min (04:14 UTC)"}, certificates[0])
	require.Equal(t, []string{"spark-operator/webhook-certs (ca)", "100", "plain"}, certificates[1][:3])
}

// TestGateHasNoSizes: how large applications are says nothing about an upgrade.
func TestGateHasNoSizes(t *testing.T) {
	r := reporttest.Gate()
	r.Metrics = reporttest.Night().Metrics
	d := parseHTML(t, r)
	require.Nil(t, d.ids["sizes"])
	require.Nil(t, d.ids["growth"])
	require.NotNil(t, d.ids["certificates"])
}

// TestNamespacesCount: a row for each namespace, the worst first, and only of what counts.
func TestNamespacesCount(t *testing.T) {
	d := parseHTML(t, reporttest.Night())
	rows := func(d document) (out []string) {
		for _, n := range d.elements["tr"] {
			if head := n.FirstChild; head.Data == "th" && attribute(head, "scope") == "row" {
				var cells []string
				for c := range n.ChildNodes() {
					cells = append(cells, textOf(c))
				}
				out = append(out, strings.Join(cells, "|"))
			}
		}
		return out
	}
	night := rows(d)
	require.Equal(t, []string{"team-a|2|1|0|broken|SD2001 SD2002 SD3001", "team-with-a-rather-long-name|1|0|0||SD2001"}, night[:2])
	require.Equal(t, "a|0|0|0|broken|", night[len(night)-1])
	for _, row := range rows(parseHTML(t, reporttest.Suppressed())) {
		require.NotRegexp(t, `^team-a\|[^0]`, row, "a suppressed finding counts nowhere")
	}
}

// TestFindingsStandBelowTheirCause: each is there once, and an effect within the details of its cause.
func TestFindingsStandBelowTheirCause(t *testing.T) {
	r := reporttest.Night()
	d := parseHTML(t, r)
	details := func(n *dom.Node) *dom.Node {
		for ; n != nil; n = n.Parent {
			if attribute(n, "class") == "cause" {
				return n
			}
		}
		return nil
	}
	effects := 0
	for _, item := range r.Items {
		for _, cause := range item.CausedBy {
			effects++
			require.Same(t, details(d.ids[cause]), details(d.ids[item.Metadata.Name]))
		}
		require.Empty(t, attribute(details(d.ids[item.Metadata.Name]), "open"))
	}
	require.Equal(t, 1, effects)
	for name, r := range reporttest.All() {
		require.Len(t, parseHTML(t, r).elements["article"], len(r.Items), name)
	}
}

// TestTitleSaysWhere: cluster and context, so that the page can be told from one of another cluster.
func TestTitleSaysWhere(t *testing.T) {
	d := parseHTML(t, reporttest.Suppressed())
	require.Contains(t, textOf(d.elements["title"][0]), "context prod, cluster https://10.0.0.1:6443")
	require.Contains(t, textOf(d.elements["h1"][0]), "context prod, cluster https://10.0.0.1:6443")
}
