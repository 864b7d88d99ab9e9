package report

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
)

func limitOf(bytes int) check.Params {
	p := check.DefaultParams()
	p.MaxObjectSize = bytes
	return p
}

func TestMeasure(t *testing.T) {
	s, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{"testdata/measure.yaml"}, Now: time.Now()})
	require.NoError(t, err)
	m := Measure(s, limitOf(1000))
	require.Equal(t, 1000, m.MaxObjectBytes)
	require.Len(t, m.Applications, 2)
	require.Equal(t, "large", m.Applications[0].Name, "the largest first")
	require.Equal(t, "small", m.Applications[1].Name)
	require.Greater(t, m.Applications[0].Bytes, m.Applications[1].Bytes+200)
	require.Empty(t, m.Certificates, "no installation was seen")

	s.Namespaces = []string{"team-b"}
	require.Equal(t, []ApplicationSize{m.Applications[1]}, Measure(s, limitOf(1000)).Applications, "of the asked namespaces")
}

func TestMeasureCertificates(t *testing.T) {
	measure := func(fixture string) []CertificateExpiry {
		s, _, err := manifests.Read(t.Context(), manifests.Options{
			Paths: []string{"../checks/webhook/testdata/" + fixture}, Complete: true, Now: time.Now(),
		})
		require.NoError(t, err)
		return Measure(s, limitOf(1000)).Certificates
	}
	list := measure("SD1004/expires-soon.yaml")
	require.Len(t, list, 2)
	require.Equal(t, []string{"ca", "server"}, []string{list[0].Role, list[1].Role})
	require.True(t, list[1].NotAfter.Before(list[0].NotAfter), "what expires soon is the server's")
	require.Empty(t, measure("SD1003/secret-of-1-4.yaml"), "a Secret that nobody reads")
}
