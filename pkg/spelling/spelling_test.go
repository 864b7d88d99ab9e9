package spelling_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

func TestNearest(t *testing.T) {
	flags := []string{
		"checks", "skip-checks", "insecure-skip-tls-verify", "color", "context", "contexts", "namespace", "all-namespaces", "output", "logs",
	}
	for typed, want := range map[string][]string{
		"chekcs": {"checks"}, "check": {"checks"}, "hcecks": {"checks"}, // two letters that changed places are one mistake
		"skip": {"skip-checks"}, "space": {"all-namespaces", "namespace"}, "colour": {"color"}, "namespce": {"namespace"},
		"contxt": {"context"}, "Output": {"output"},
		"xyzzy": nil, "bogus": nil, "verbose": nil, "o": nil,
	} {
		require.Equal(t, want, spelling.Nearest(typed, flags, 3), typed)
	}
	ids := []string{"SD1001", "SD1008", "SD2001", "SD2002", "SD2003", "SD2004", "SD2005", "SD3001"}
	require.Equal(t, []string{"SD2001"}, spelling.Nearest("SD2O01", ids, 3), "others are one letter further away")
	require.Equal(t, []string{"SD1008", "SD2001", "SD2002"}, spelling.Nearest("sd2008", ids, 3), "at most three")
	require.Empty(t, spelling.Nearest("etl", nil, 3))
}

func TestMeant(t *testing.T) {
	require.Empty(t, spelling.Meant(nil))
	require.Equal(t, ", did you mean scan?", spelling.Meant([]string{"scan"}))
	require.Equal(t, ", did you mean a or b?", spelling.Meant([]string{"a", "b"}))
	require.Equal(t, ", did you mean a, b or c?", spelling.Meant([]string{"a", "b", "c"}))
}

func TestNear(t *testing.T) {
	names := []string{"nightly-etl", "nightly-etl", "etl", "hourly-etl", "report", "nightyl-etl2"}
	require.Equal(t, []string{"nightly-etl", "nightyl-etl2"}, spelling.Near("nightyl-etl", names, 2))
	require.Equal(t, []string{"etl", "hourly-etl", "nightly-etl", "nightyl-etl2"}, spelling.Near("etl", names, 5))
}

// TestChoose offers what was meant, and all words only where nothing is like what was typed.
func TestChoose(t *testing.T) {
	colors := []string{"auto", "always", "never"}
	for typed, want := range map[string]string{
		"alwys": ", did you mean always?", "red": ", use one of auto, always, never", "": ", use one of auto, always, never",
	} {
		require.Equal(t, want, spelling.Choose(typed, colors), typed)
	}
}

// TestSlip: what may be put in the place of a name is almost that name.
func TestSlip(t *testing.T) {
	for name, is := range map[string]bool{"sparkbatch spark-batch": true, "app-conf app-conf-v2": true,
		"test-volume spark-local-dir-test-volume": true, "App-Conf app-conf": true,
		"tile-cache tile-archive": false, "gpu batch": false, "etl-a report-b": false} {
		a, b, _ := strings.Cut(name, " ")
		require.Equal(t, is, spelling.Slip(a, b), name)
		require.Equal(t, is, spelling.Slip(b, a), name)
	}
}
