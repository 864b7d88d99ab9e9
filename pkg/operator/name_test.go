package operator

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReleaseNamed(t *testing.T) {
	chart := func(application, chart Version) Name { return Name{Application: application, Chart: chart} }
	last := chart(version(1, 6, 2), version(1, 4, 6))
	for text, want := range map[string]Name{
		"2.5.2": chart(version(2, 5, 2), version(2, 5, 2)), "v2.0.0": chart(version(2, 0, 0), version(2, 0, 0)),
		"spark-operator-2.5.2": chart(version(2, 5, 2), version(2, 5, 2)),
		"1.4.6":                last, "v1.4.6": last, "chart 1.4.6": last, "spark-operator-1.4.6": last,
		"v1beta2-1.6.2-3.5.0": {Application: version(1, 6, 2)}, "v1beta2-1.6.2": {Application: version(1, 6, 2)},
		"v1beta2-1.3.2-3.1.1": {Application: version(1, 3, 2)}, // no chart has it, its image was released
		"1.3.0":               chart(version(1, 4, 2), version(1, 3, 0)),
		"1.2.15":              chart(version(1, 4, 6), version(1, 2, 15)),
		"1.1.0":               chart(version(1, 2, 3), version(1, 1, 0)),
		"1.0.0":               chart(version(1, 2, 0), version(1, 0, 0)),
	} {
		got, err := ReleaseNamed(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"master": "is not a release", "latest": "is not a release", "": "is not a release", "2.5": "is not a release",
		"sha256:0123": "is not a release", "2.5.0-rc.0": "pre-release", "v2.5.2-mine": "pre-release", "2.99.0": "does not know release 2.99.0",
		"1.4.7":  "chart 1.4.7 was never released; the last charts of 1.x are 1.0.10, 1.1.27, 1.2.15, 1.3.2, 1.4.6",
		"1.5.0":  "if you mean the application, it is v1beta2-1.5.0-3.5.0 (chart 1.3.2)",
		"1.3.8":  "if you mean the application, it is v1beta2-1.3.8-3.1.1 (chart 1.1.26 or 1.1.27)",
		"1.1.16": "chart 1.1.16 was never released", "1.1.17": "chart 1.1.17 was never released",
		"1.2.0":         "application, it is v1beta2-1.2.0-3.0.0 (chart 1.0.0 or ",
		"v1beta2-1.9.9": "application v1beta2-1.9.9 was never released", "v1beta2-1.6.2-3.5.0-mine": "was never released",
	} {
		_, err := ReleaseNamed(text)
		require.ErrorContains(t, err, want, text)
	}
	for _, named := range []string{"master", "2.99.0", "2.5.0-rc.0"} {
		_, err := ReleaseNamed(named)
		require.ErrorContains(t, err, Newest().String())
	}
}

// TestNamesGoBack: what a release is called names it again, and no number of a gap in the charts is taken for another chart.
func TestNamesGoBack(t *testing.T) {
	charts, applications := map[Version]bool{}, 0
	again := func(n Name) {
		got, err := ReleaseNamed(n.ChartOrApplication())
		require.NoError(t, err, n.String())
		require.Equal(t, n, got)
	}
	for i := range installs() {
		again(Name{Application: i.Version()})
		applications++
		for _, chart := range i.Charts {
			require.False(t, charts[chart], "%s is in two lists", chart)
			charts[chart] = true
			n := Name{Application: i.Version(), Chart: chart}
			again(n)
			require.Equal(t, fmt.Sprintf("chart %s (%s)", chart, i.Application), n.String())
		}
	}
	require.Equal(t, 30, applications)
	require.Len(t, charts, 55, "tags spark-operator-1.0.* and spark-operator-chart-1.*")
	for _, v := range Releases() {
		again(Name{Application: v, Chart: v})
		require.Equal(t, v.String(), Name{Application: v}.String())
	}
	for minor := range 6 {
		for patch := range 35 {
			_, known := ApplicationOfChart(version(1, minor, patch))
			require.Equal(t, charts[version(1, minor, patch)], known)
		}
	}
}

func TestNamesAsText(t *testing.T) {
	for want, n := range map[string]Name{
		"v1beta2-1.6.2-3.5.0 (chart 1.4.5 or 1.4.6)": {Application: version(1, 6, 2)},
		"v1beta2-1.3.8-3.1.1 (chart 1.4.6)":          {Application: version(1, 3, 8), Chart: version(1, 4, 6)}, // an image of the user's choice
		"v1beta2-1.3.2-3.1.1":                        {Application: version(1, 3, 2)},
		"v1beta2-1.9.9":                              {Application: version(1, 9, 9)}, // a build of the user's own
		"1.x":                                        {Application: version(1, 0, 0)},
	} {
		require.Equal(t, want, n.String())
	}
	require.Equal(t, "v1beta2-1.3.8-3.1.1", Name{Application: version(1, 3, 8), Chart: version(1, 4, 6)}.ChartOrApplication())
}
