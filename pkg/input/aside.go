package input

// Aside are the files of a directory that hold nothing an API server takes as it stands, each by its path. They are told apart from files
// that could not be read: nothing is wrong with them.
type Aside struct {
	Templates      []string // of Helm: they may hold any object once they are rendered
	Charts         []string // of the templates, the directories of those whose Chart.yaml is beside them
	Kustomizations []string // of kustomize: they name files, which are read as they stand
	Patches        []string // that a kustomization takes: each is a part of an object
	Foreign        []string // that hold no Kubernetes object: values, workflows of a CI, comments
	Excluded       int      // that the user left out
	Unmatched      []string // patterns that left out none
}
