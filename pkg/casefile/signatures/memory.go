package signatures

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// memory lists what the JVM and Spark say when memory runs out.
func memory() []Signature {
	return []Signature{
		{
			ID: "heap", Class: cause.Configuration, Exception: `java\.lang\.OutOfMemoryError`, Message: `^Java heap space`,
			Says: "the Java heap was exhausted", Certain: true,
			Next:   []command.Command{command.Do("raise driver.memory or executor.memory, or give each task less data")},
			Source: "src/hotspot/share/gc/shared/memAllocator.cpp@jdk-17-ga",
		},
	}
}
