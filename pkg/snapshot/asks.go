package snapshot

import (
	"slices"
)

// What an application asks for that only some releases of the operator get wrong. Most ask for none of it.
const (
	AskPullPolicy     = "imagePullPolicy"
	AskPullSecrets    = "imagePullSecrets"
	AskPackages       = "deps.packages"
	AskMemoryLocalDir = "volumes[].emptyDir.medium"    // of a mounted volume that Spark uses as a local directory
	AskOpenLocalDir   = "volumes[].emptyDir.sizeLimit" // which is not set, of such a volume
	AskGangOfUnknown  = "batchScheduler"               // with dynamic allocation and without executor.instances
)

// Asking reports whether the application asks for something of the list above.
func (a *SparkApplication) Asking(ask string) bool { return slices.Contains(a.Asks, ask) }
