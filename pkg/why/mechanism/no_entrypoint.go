package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NoEntrypoint is a driver that exited with what a shell exits with for a command that is missing or does not run. A program may exit with
// it as well (POSIX, 2.8.2 Exit Status for Commands).
type NoEntrypoint struct {
	Code  int
	Image string
}

// Mechanism names what was found.
func (NoEntrypoint) Mechanism() cause.ID { return "no-entrypoint" }

func noEntrypoint(v *View, d *exited) *cause.Cause {
	if MeaningOf(d.end.Code, d.as.Reason) != CommandMissing {
		return nil
	}
	return d.likely(cause.Image, cause.BySpec, NoEntrypoint{Code: d.end.Code, Image: app.MainImage(v.Driver)}, 0)
}
