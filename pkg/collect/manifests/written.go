package manifests

import (
	"bytes"
	"context"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// schemas are those of the CRDs against which manifests are held. They are read once, where the input holds a manifest.
func (b *builder) schemas(crds func() []byte) snapshot.Schemas {
	if b.written != nil {
		return b.written
	}
	b.written = snapshot.Schemas{}
	if s, _, err := Read(context.Background(), Options{Paths: []string{"-"}, Stdin: bytes.NewReader(crds())}); err == nil {
		b.written = snapshot.SchemasOf(s)
	}
	b.AgainstManifests(b.written)
	return b.written
}
