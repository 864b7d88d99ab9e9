package controlplane

import (
	"context"
	"io"
	"path/filepath"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

const sparkSubmitPackage = "github.com/sparkdoctor/kubectl-sparkdoctor/test/spark-submit"

// Build makes every program that Start and InstallOperator need, for these operator releases, so
// that a later test does not pay for it.
func Build(ctx context.Context, log io.Writer, operators ...string) error {
	b, err := build.New(log)
	if err != nil {
		return err
	}
	for _, one := range []func(context.Context) (string, error){b.Kubernetes, b.Kwok, b.Helm} {
		if _, err := one(ctx); err != nil {
			return err
		}
	}
	if err := b.Local(ctx, sparkSubmitPackage, filepath.Join(b.Dir, "spark-submit")); err != nil {
		return err
	}
	for _, version := range operators {
		if _, err := b.Operator(ctx, version); err != nil {
			return err
		}
	}
	return nil
}
