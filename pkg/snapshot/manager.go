package snapshot

import (
	"time"
)

// FieldManager is an entry of metadata.managedFields that owns a path which checks ask about.
type FieldManager struct {
	Manager   string
	Operation string // Apply or Update
	Time      time.Time
	Path      string // "f:data", "f:caBundle", …
}
