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
	} {
		from, err := ReleaseNamed(c.from)
		require.NoError(t, err)
		to, err := ReleaseNamed(c.to)
		require.NoError(t, err)
		path, err := Path(from.Application, to.Application)
		require.NoError(t, err)
		require.Equal(t, c.want, list(path), "%s to %s", c.from, c.to)
	}
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
