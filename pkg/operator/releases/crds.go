package releases

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

// crds is a List of the CRDs of the newest release without descriptions (charts/spark-operator-chart/crds@v2.5.2), as JSON, packed:
// TestEmbeddedCRDs in test/releases writes and compares it. Of all that is in schemas of v1beta2 since chart 1.1.27, types, enums, bounds
// and patterns are the same in each release.
//
//go:embed crds.json.gz
var crds []byte

// CRDs returns a List of the CRDs of the newest release as JSON.
func CRDs() []byte {
	r, err := gzip.NewReader(bytes.NewReader(crds))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}
