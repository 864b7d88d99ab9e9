package manifests

import (
	"bytes"
	"context"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// schemas are those of the CRDs of the newest release. They are read once, where the input holds a manifest.
func (b *builder) schemas() snapshot.Schemas {
	if b.written == nil {
		b.written = newestSchemas()
		b.AgainstManifests(b.written)
	}
	return b.written
}

func newestSchemas() snapshot.Schemas {
	crds, _, err := Read(context.Background(), Options{Paths: []string{"-"}, Stdin: bytes.NewReader(releases.CRDs())})
	if err != nil {
		panic(err) // of what is built in, which a test reads
	}
	return snapshot.SchemasOf(crds)
}
