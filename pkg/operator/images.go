package operator

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// Repositories are where the charts of all releases took the image from, oldest first.
func Repositories() []string {
	var out []string
	for i := range releases.Table().Facts {
		if repository := releases.Table().Facts[i].Chart.Repository; !slices.Contains(out, repository) {
			out = append(out, repository)
		}
	}
	return out
}

// RegistryMoved is the first release whose image is at ghcr.io/kubeflow/spark-operator/controller (#2483).
func RegistryMoved() Version {
	return Since(func(f *Facts) bool { return f.Chart.Repository == "ghcr.io/kubeflow/spark-operator/controller" })
}

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
