package report

import (
	_ "embed" // the schema
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema returns the JSON schema of the report.
func Schema() []byte { return slices.Clone(schema) }
