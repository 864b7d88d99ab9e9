package images

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

// Operator is the image of a release of the Spark Operator under the name that its chart gives it: the operator's program, and our
// spark-submit in the place of Spark's. What the release's entry point does before, for other users than Spark's, is left out
// (entrypoint.sh@v2.5.1).
func Operator(ctx context.Context, b *build.Builder, version string) (Image, error) {
	dir, err := b.Operator(ctx, version)
	if err != nil {
		return Image{}, err
	}
	name, err := operatorName(filepath.Join(dir, "chart"))
	if err != nil {
		return Image{}, err
	}
	base, err := shell(ctx, b)
	if err != nil {
		return Image{}, err
	}
	submit, err := local(ctx, b, "spark-submit")
	if err != nil {
		return Image{}, err
	}
	return Image{
		Name: name,
		Layers: []Layer{base, {
			{Path: "usr/bin/spark-operator", Source: filepath.Join(dir, "operator"), Mode: 0o755},
			{Path: "opt/spark/bin/spark-submit", Source: submit, Mode: 0o755},
			{Path: "etc/k8s-webhook-server/serving-certs", Dir: true, Mode: 0o775, Owner: sparkUser},
		}},
		Config: Config{
			Entrypoint: []string{"/usr/bin/spark-operator"}, Env: []string{searchPath, "SPARK_HOME=/opt/spark"},
			User: fmt.Sprintf("%[1]d:%[1]d", sparkUser), WorkingDir: "/opt/spark/work-dir",
		},
	}, nil
}

// operatorName is the image that a chart's pods name unless values say otherwise (spark-operator.image of _helpers.tpl@v2.5.1).
func operatorName(chart string) (string, error) {
	var values struct {
		Image struct{ Registry, Repository, Tag string }
	}
	var meta struct{ AppVersion string }
	for file, into := range map[string]any{"values.yaml": &values, "Chart.yaml": &meta} {
		text, err := os.ReadFile(filepath.Join(chart, file))
		if err != nil {
			return "", fmt.Errorf("reading the operator's chart: %w", err)
		}
		if err := yaml.Unmarshal(text, into); err != nil {
			return "", fmt.Errorf("decoding %s of the operator's chart: %w", file, err)
		}
	}
	tag := values.Image.Tag
	if tag == "" {
		tag = meta.AppVersion
	}
	return values.Image.Registry + "/" + values.Image.Repository + ":" + tag, nil
}
