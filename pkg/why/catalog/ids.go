package catalog

// Signatures that code asks for by name.
const (
	// WorkerCrashed is the signature of a Python worker that is gone, which leaves open why.
	WorkerCrashed = "python-worker-crashed"
)
