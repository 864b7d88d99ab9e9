package operator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPath(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"v1beta2-1.6.2-3.5.0", "2.5.2", "2.0.2, 2.1.1, 2.2.1, 2.3.0, 2.4.0, 2.5.0, 2.5.1, 2.5.2"},
		{"1.1.27", "2.0.0", "2.0.0"},
		{"2.0.0", "2.0.1", "2.0.1"},
		{"2.0.1", "2.1.0", "2.0.2, 2.1.0"},
		{"2.3.0", "2.4.0", "2.4.0"},
		{"2.3.0", "v2.5.1", "2.4.0, 2.5.0, 2.5.1"},
		{"2.5.1", "2.5.2", "2.5.2"},
		{"2.5.0", "next", "2.5.1, 2.5.2, next"},
	} {
		from, err := ReleaseNamed(c.from)
		require.NoError(t, err)
		to, err := TargetNamed(c.to)
		require.NoError(t, err)
		path, err := Path(from.Application, to)
		require.NoError(t, err)
		require.Equal(t, c.want, list(path), "%s to %s", c.from, c.to)
	}
}

// TestNextIsNeverAdvised: an upgrade goes to what is not released only where a user names it.
func TestNextIsNeverAdvised(t *testing.T) {
	require.NotContains(t, Releases(), Next())
	require.NotContains(t, Reachable(version(2, 0, 0)), Next())
	require.NotContains(t, Hops(), Next())
	require.Equal(t, "next", Next().String())
	require.Contains(t, NextText(), "unreleased")
	_, err := ReleaseNamed("next")
	require.Error(t, err, "nothing that is installed is called so")
	_, err = TargetNamed("2.6.0")
	require.ErrorContains(t, err, "this build does not know release 2.6.0")
	require.ErrorContains(t, err, "--to next")
	_, err = TargetNamed("2.99")
	require.NotContains(t, err.Error(), "--to next")
	for _, d := range DefectsOf(Newest()) {
		require.NotContains(t, d.FixedIn(), "next", d.ID)
		require.NotContains(t, d.FixedIn(), "2.6", d.ID)
	}
	_, err = Path(Next(), version(2, 5, 2))
	require.ErrorContains(t, err, "unreleased")
}

// TestWhatNextBrings: the permissions that its chart does not grant, and the notes.
func TestWhatNextBrings(t *testing.T) {
	var lacks []string
	for _, s := range Shortfalls(Next()) {
		lacks = append(lacks, strings.Join(s.Missing, "/")+" "+s.Group+"/"+s.Resource)
	}
	require.Equal(t, []string{"create/patch events.k8s.io/events", "create /persistentvolumeclaims"}, lacks)
	require.True(t, Denies(Newest(), UIIngresses))
	require.False(t, Denies(Next(), UIIngresses), "it caches none")
	require.Len(t, NotesOf(version(2, 5, 2), Next()), 8)
	require.Len(t, NotesOf(version(2, 5, 2), version(2, 6, 0)), 8)
	ids := map[string]bool{}
	for _, d := range DefectsOf(Next()) {
		ids[d.ID] = true
	}
	require.False(t, ids["dotted-configmap-refused"])
	require.True(t, ids["pod-template-file-overridden"])
}

func TestPathRefuses(t *testing.T) {
	for _, c := range []struct {
		from, to Version
		want     string
	}{
		{version(2, 4, 0), version(2, 4, 0), "2.4.0 is already installed"},
		{version(2, 4, 0), version(2, 3, 0), "2.3.0 is older than 2.4.0"},
		{version(2, 4, 0), version(2, 99, 0), "nothing is known of an upgrade to 2.99.0"},
		{version(2, 4, 0), version(2, 4, 7), "known targets are 2.0.0, "},
		{version(1, 3, 8), version(1, 6, 2), "nothing is known of an upgrade to v1beta2-1.6.2-3.5.0 (chart 1.4.5 or 1.4.6)"},
		{Version{}, version(2, 4, 0), "nothing is known of an upgrade from 0.0.0"},
		{version(3, 0, 0), version(2, 4, 0), "nothing is known of an upgrade from 3.0.0"},
	} {
		path, err := Path(c.from, c.to)
		require.Empty(t, path)
		require.ErrorContains(t, err, c.want)
	}
}

func TestFatalReleases(t *testing.T) {
	for _, f := range fatalReleases() {
		require.NotEmpty(t, f.Why)
		require.NotEmpty(t, f.Source)
		next, err := ReleaseNamed(strings.TrimPrefix(f.Next, "chart "))
		require.NoError(t, err)
		_, fatal := FatalAs(next.Application)
		require.False(t, fatal, "%s is sent to %s", f.Chart, f.Next)
	}
	for _, v := range stated() {
		_, fatal := FatalAs(v)
		require.Equal(t, v.Before(2, 1, 0), fatal, v.String())
	}
	_, fatal := FatalAs(Version{})
	require.False(t, fatal)
}

func TestDeniedSparkConf(t *testing.T) {
	for _, v := range Releases() {
		for _, key := range []string{"spark.master", "spark.kubernetes.authenticate.driver.oauthTokenFile"} {
			_, denied := DeniedSparkConf(v, key, "", "jobs")
			require.Equal(t, v.Compare(version(2, 5, 2)) >= 0, denied, "%s in %s", key, v)
		}
	}
	denied := func(key, value string) bool {
		reason, denied := DeniedSparkConf(Newest(), key, value, "jobs")
		require.Equal(t, denied, reason != "")
		return denied
	}
	require.False(t, denied("spark.kubernetes.namespace", "jobs"))
	require.True(t, denied("spark.kubernetes.namespace", "other"))
	require.True(t, denied("spark.kubernetes.namespace", ""))
	require.False(t, denied("spark.kubernetes.authenticate.submission.oauthToken", "x"))
	require.False(t, denied("spark.kubernetes.container.image.pullPolicy", "Always"))
	require.False(t, denied("Spark.Master", "x"))
}

func TestAcceptsName(t *testing.T) {
	for _, name := range []string{"1st.job", "1st", "first.job", strings.Repeat("a", 64)} {
		require.True(t, AcceptsName(version(2, 3, 0), name))
		require.False(t, AcceptsName(version(2, 4, 0), name))
		require.True(t, AcceptsConnectName(version(2, 4, 0), name))
		require.False(t, AcceptsConnectName(version(2, 5, 0), name))
	}
	require.True(t, AcceptsName(Newest(), strings.Repeat("a", 63)))
	require.True(t, AcceptsConnectName(Newest(), strings.Repeat("a", 56)))
	require.False(t, AcceptsConnectName(Newest(), strings.Repeat("a", 57)))
}
