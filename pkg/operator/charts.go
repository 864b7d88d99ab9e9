package operator

import "slices"

// charts says which application the charts of 1.x install, each from a chart version on
// (charts/spark-operator-chart/Chart.yaml@spark-operator-chart-1.0.2 to @spark-operator-chart-1.4.6). Charts 1.3.0 and
// 1.3.1 go back behind 1.2.15.
func charts() []struct{ chart, application Version } {
	return []struct{ chart, application Version }{
		{Version{1, 0, 2}, Version{1, 2, 0}},
		{Version{1, 1, 0}, Version{1, 2, 3}}, {Version{1, 1, 14}, Version{1, 3, 0}}, {Version{1, 1, 15}, Version{1, 3, 1}},
		{Version{1, 1, 18}, Version{1, 3, 3}}, {Version{1, 1, 20}, Version{1, 3, 4}}, {Version{1, 1, 21}, Version{1, 3, 5}},
		{Version{1, 1, 22}, Version{1, 3, 6}}, {Version{1, 1, 24}, Version{1, 3, 7}}, {Version{1, 1, 26}, Version{1, 3, 8}},
		{Version{1, 2, 4}, Version{1, 4, 1}}, {Version{1, 2, 5}, Version{1, 4, 2}}, {Version{1, 2, 7}, Version{1, 4, 3}},
		{Version{1, 2, 12}, Version{1, 4, 4}}, {Version{1, 2, 14}, Version{1, 4, 5}}, {Version{1, 2, 15}, Version{1, 4, 6}},
		{Version{1, 3, 0}, Version{1, 4, 2}}, {Version{1, 3, 2}, Version{1, 5, 0}},
		{Version{1, 4, 0}, Version{1, 6, 0}}, {Version{1, 4, 2}, Version{1, 6, 1}}, {Version{1, 4, 5}, Version{1, 6, 2}},
	}
}

// lastLegacyChart is the last of 1.x.
func lastLegacyChart() Version { return Version{1, 4, 6} }

// ApplicationOfChart returns the version of the application that a chart installs: from 2.0.0 on they agree. known is
// false before chart 1.0.2, which is the first in the operator's own repository, and after 1.4.6.
func ApplicationOfChart(chart Version) (application Version, known bool) {
	if chart.Major != 1 {
		return chart, IsKnown(chart)
	}
	for _, c := range slices.Backward(charts()) {
		if chart.Compare(c.chart) >= 0 && chart.Compare(lastLegacyChart()) <= 0 {
			return c.application, true
		}
	}
	return Version{}, false
}
