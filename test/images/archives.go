package images

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

// Archives makes the archives of the images of drivers and executors, and of the operator in the given releases.
func Archives(ctx context.Context, b *build.Builder, operators ...string) ([]string, error) {
	makers := []func() (Image, error){func() (Image, error) { return Spark(ctx, b) }}
	for _, version := range operators {
		makers = append(makers, func() (Image, error) { return Operator(ctx, b, version) })
	}
	var out []string
	for _, make := range makers {
		start := time.Now()
		image, err := make()
		if err != nil {
			return nil, err
		}
		archive, err := Archive(filepath.Join(b.Dir, Dir), image)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b.Log, "image %s in %s\n", image.Name, time.Since(start).Round(10*time.Millisecond))
		out = append(out, archive)
	}
	return out, nil
}
