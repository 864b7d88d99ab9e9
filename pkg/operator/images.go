package operator

import (
	"slices"
	"strings"
)

// Repositories are where the charts of all releases took the image from, oldest first (image in charts/spark-operator-chart/
// values.yaml@spark-operator-chart-1.0.2, @spark-operator-chart-1.1.27, @spark-operator-chart-1.4.6, @v2.2.0).
func Repositories() []string {
	return []string{
		"gcr.io/spark-operator/spark-operator", "ghcr.io/googlecloudplatform/spark-operator", "docker.io/kubeflow/spark-operator",
		"ghcr.io/kubeflow/spark-operator/controller",
	}
}

// RegistryMoved is the first release whose image is at ghcr.io/kubeflow (#2483).
func RegistryMoved() Version { return Version{2, 2, 0} }

// Repository returns where the controller's image comes from, with the registry; empty where the Deployment does not say.
func (in *Installation) Repository() string {
	if in.Controller == nil {
		return ""
	}
	c := operatorContainer(in.Controller)
	if c == nil || c.Image == "" {
		return ""
	}
	repository := repositoryOf(c.Image)
	if host, _, deep := strings.Cut(repository, "/"); !deep || !isRegistry(host) {
		return "docker.io/" + repository // as container runtimes read it
	}
	return repository
}

// Mirrored reports whether the image comes from where no chart takes it from: somebody's own registry, or build.
func (in *Installation) Mirrored() bool {
	repository := in.Repository()
	return repository != "" && !slices.Contains(Repositories(), repository)
}

// RegistryOf returns the host of a repository.
func RegistryOf(repository string) string {
	host, _, _ := strings.Cut(repository, "/")
	return host
}

// isRegistry reports whether the first part of a name is a host (github.com/distribution/reference).
func isRegistry(host string) bool { return host == "localhost" || strings.ContainsAny(host, ".:") }

// repositoryOf returns an image without its tag and digest.
func repositoryOf(image string) string {
	repository, _, _ := strings.Cut(image, "@")
	if i := strings.LastIndex(repository, ":"); i > strings.LastIndex(repository, "/") {
		repository = repository[:i]
	}
	return repository
}
