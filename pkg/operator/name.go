package operator

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// Name is what a release is called: by its chart and by its application, whose numbers differ in 1.x. From 2.0.0 on they agree.
type Name struct {
	Application Version
	Chart       Version // zero: not known
}

// ChartOrApplication returns what names the release unambiguously, as ReleaseNamed reads it: the chart, where it is known and comes
// with this application; else the application.
func (n Name) ChartOrApplication() string {
	if installs, known := ApplicationOfChart(n.Chart); known && installs == n.Application {
		return n.Chart.String()
	}
	if n.Application.Major == 1 {
		return n.tag()
	}
	return n.Application.String()
}

// Agrees reports whether two names may be of one release: by the application, and by the charts where both are known.
func (n Name) Agrees(o Name) bool {
	charts := n.Chart == o.Chart || n.Chart.IsZero() || o.Chart.IsZero()
	return n.Application == o.Application && charts
}

// String returns "2.5.2", and of 1.x both names: "chart 1.4.6 (v1beta2-1.6.2-3.5.0)".
func (n Name) String() string {
	switch installs, known := ApplicationOfChart(n.Chart); {
	case n.Application.Major != 1:
		return n.Application.String()
	case known && installs == n.Application:
		return fmt.Sprintf("chart %s (%s)", n.Chart, n.tag())
	case n.Application == Version{Major: 1}:
		return "1.x" // its Deployment says no more
	case known:
		return fmt.Sprintf("%s (chart %s)", n.tag(), n.Chart)
	}
	var charts []string
	for i := range installs() {
		if i.Version() != n.Application {
			continue
		}
		for _, c := range i.Charts {
			charts = append(charts, c.String())
		}
	}
	if len(charts) == 0 {
		return n.tag()
	}
	return fmt.Sprintf("%s (chart %s)", n.tag(), strings.Join(charts, " or "))
}

// tag is the application's in 1.x.
func (n Name) tag() string {
	for i := range installs() {
		if i.Version() == n.Application {
			return i.Application
		}
	}
	return "v1beta2-" + n.Application.String()
}

// installs yields the applications of 1.x, with their charts.
func installs() iter.Seq[release.Installs] {
	return func(yield func(release.Installs) bool) {
		for _, line := range releases.Lines() {
			for _, i := range line.Charts {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// ApplicationOfChart returns the application that a chart installs: from 2.0.0 on they have one number. known is false for a chart
// that was never released.
func ApplicationOfChart(chart Version) (application Version, known bool) {
	if chart.Major != 1 {
		return chart, IsKnown(chart)
	}
	for i := range installs() {
		for _, c := range i.Charts {
			if c == chart {
				return i.Version(), true
			}
		}
	}
	return Version{}, false
}

// Targets are the releases that an upgrade may name, oldest first, with what is not released.
func Targets() []Version { return append(Releases(), Next()) }

// TargetNamed reads what an upgrade goes to: a release, as ReleaseNamed does, or "next".
func TargetNamed(text string) (Version, error) {
	if text == release.Next {
		return Next(), nil
	}
	n, err := ReleaseNamed(text)
	v, ok := release.ParseVersion(text)
	switch {
	case ok && v.Compare(Next()) > 0:
		err = fmt.Errorf("%w (or judge the main branch: --to %s)", err, Next())
	case err != nil && !ok && ofLine(text) == "":
		err = fmt.Errorf("%w; %s is what is not released yet", err, Next())
	}
	return n.Application, err
}

// ofLine is the newest release of a minor line, which is not a release itself: of "2.5" it is "2.5.2". Empty: there is no such line.
func ofLine(text string) string {
	v, ok := release.ParseVersion(strings.TrimPrefix(text, "v") + ".0")
	if !ok {
		return ""
	}
	if v.Major == 1 {
		line := ""
		for i := range installs() {
			for _, chart := range i.Charts {
				if chart.Minor == v.Minor {
					line = chart.String()
				}
			}
		}
		return line
	}
	for _, known := range slices.Backward(Releases()) {
		if known.Major == v.Major && known.Minor == v.Minor {
			return known.String()
		}
	}
	return ""
}

// ReleaseNamed reads a release as people name it: "2.5.2", "v2.5.2", of 1.x the chart "1.4.6", "spark-operator-1.4.6" or "chart
// 1.4.6", or the application "v1beta2-1.6.2-3.5.0". A bare number of 1.x is a chart, as in helm list. An error says why it is
// none: a branch, a release candidate, a number that was never released.
func ReleaseNamed(text string) (Name, error) {
	bare := strings.TrimPrefix(strings.TrimPrefix(text, "spark-operator-"), "chart ")
	v, ok := release.ParseVersion(bare)
	switch {
	case !ok && release.IsPlain(strings.SplitN(bare, "-", 2)[0]):
		return Name{}, fmt.Errorf("%q is a pre-release or a custom build; known releases are %s, and the charts and applications of 1.x", text,
			list(Releases()))
	case !ok && ofLine(bare) != "":
		return Name{}, fmt.Errorf("%q is not a release, did you mean %s?", text, ofLine(bare))
	case !ok:
		return Name{}, fmt.Errorf("%q is not a release; known are %s, and the charts and applications of 1.x", text, list(Releases()))
	case v.Major == 1 && release.IsPlain(bare):
		return chartNamed(v)
	case v.Major == 1:
		return applicationNamed(text, v)
	case IsNewer(v):
		return Name{}, fmt.Errorf("this build does not know release %s%s: it has %s. A newer build may: %s", v, meant(v), Known(), NewerBuilds)
	case !IsKnown(v):
		return Name{}, fmt.Errorf("release %s was never made%s; known are %s, and the charts and applications of 1.x", v,
			meant(v), list(Releases()))
	default:
		return Name{Application: v, Chart: v}, nil
	}
}

// meant asks for the newest release of the same minor line, within the error about one that does not exist; empty: there is none.
func meant(v Version) string {
	for _, known := range slices.Backward(Releases()) {
		if known.Major == v.Major && known.Minor == v.Minor {
			return " (did you mean " + known.String() + "?)"
		}
	}
	return ""
}

func chartNamed(chart Version) (Name, error) {
	if application, known := ApplicationOfChart(chart); known {
		return Name{Application: application, Chart: chart}, nil
	}
	text := fmt.Sprintf("chart %s was never released", chart)
	if n := (Name{Application: chart}); n.known() {
		text += fmt.Sprintf("; if you mean the application, it is %s", n)
	}
	var last []string
	for _, line := range releases.Lines() {
		var of Version
		for _, i := range line.Charts {
			for _, c := range i.Charts {
				of = c
			}
		}
		last = append(last, of.String())
	}
	return Name{}, fmt.Errorf("%s; the last charts of 1.x are %s (see CHART in: helm list)", text, strings.Join(last, ", "))
}

func applicationNamed(text string, application Version) (Name, error) {
	n := Name{Application: application}
	if !n.known() || !strings.HasPrefix(n.tag(), text) {
		return Name{}, fmt.Errorf("application %s was never released; name 1.x by its chart (see CHART in: helm list)", text)
	}
	return n, nil
}

// known reports whether there is such an application of 1.x.
func (n Name) known() bool {
	for i := range installs() {
		if i.Version() == n.Application {
			return true
		}
	}
	return false
}
