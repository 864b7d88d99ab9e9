package node

import (
	"context"
	"os/exec"
	"path/filepath"

	testbuild "github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/debian"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
)

const (
	bootPackage = "github.com/sparkdoctor/kubectl-sparkdoctor/test/node/boot"
)

// tools are the directories with the programs of a node, and the image of its pods' first process.
type tools struct {
	builder                           *testbuild.Builder
	kubelet, containerd, cni, coredns string
	pause                             string // archive
}

// build makes the programs that are missing.
func build(ctx context.Context, b *testbuild.Builder) (t tools, err error) {
	t.builder = b
	for _, one := range []struct {
		dir  *string
		make func(context.Context) (string, error)
	}{{&t.kubelet, b.Kubelet}, {&t.containerd, b.Containerd}, {&t.cni, b.CNI}, {&t.coredns, b.CoreDNS}} {
		if *one.dir, err = one.make(ctx); err != nil {
			return t, err
		}
	}
	if _, err := exec.LookPath("runc"); err != nil {
		if err := debian.Install(ctx, b.Log, "runc"); err != nil {
			return t, err
		}
	}
	pause, err := images.Pause(ctx, b)
	if err != nil {
		return t, err
	}
	t.pause, err = images.Archive(filepath.Join(b.Dir, images.Dir), pause)
	return t, err
}

// Build makes everything that a node needs, so that a later test does not pay for it.
func Build(ctx context.Context, b *testbuild.Builder) error {
	if err := Supported(); err != nil {
		return err
	}
	_, err := build(ctx, b)
	return err
}
