package record

import _ "embed" // Argo's kinds and objects

// Argo itself does not run here: its objects do what they do by being there.
var (
	//go:embed manifests/argo-kinds.yaml
	argoKinds string
	//go:embed manifests/argo-objects.yaml
	argoObjects string
)
