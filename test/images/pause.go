package images

import (
	"context"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

// PauseName is the image of the process that holds a pod's namespaces.
const PauseName = "testbed.local/pause:1"

// Pause is the image PauseName.
func Pause(ctx context.Context, b *build.Builder) (Image, error) {
	program, err := local(ctx, b, "node/pause")
	if err != nil {
		return Image{}, err
	}
	return Image{
		Name:   PauseName,
		Layers: []Layer{{{Path: "pause", Source: program, Mode: 0o755}}},
		Config: Config{Entrypoint: []string{"/pause"}},
	}, nil
}
