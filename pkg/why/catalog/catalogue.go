package catalog

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// All returns the catalogue, the most specific first: of two that fit the same message, the first is meant. A message of a service that
// publishes no source (Amazon S3, Azure Storage, Google Cloud) is cited from a public report that quotes it.
func All() []Signature {
	return slices.Concat(
		s3a(), abfs(), gcs(), ivy(), python(), classes(), disk(), memory(), executors(), kubernetes(), network(),
		kerberos(), metastore(), tables(), kafka(), jdbc(), sql(), context(), entrypoints(), process(),
	)
}

func steps(texts ...string) []command.Command {
	out := make([]command.Command, 0, len(texts))
	for _, text := range texts {
		out = append(out, command.Command{Text: text})
	}
	return out
}
