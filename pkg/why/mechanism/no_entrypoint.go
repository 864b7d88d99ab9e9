package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NoEntrypoint is a driver that exited with what a shell exits with for a command that is missing or does not run, 127 and 126 (POSIX,
// 2.8.2 Exit Status for Commands). Any program may exit with that, too.
type NoEntrypoint struct {
	Code  int
	Image string
}

// Mechanism names what was found.
func (NoEntrypoint) Mechanism() cause.ID { return "no-entrypoint" }

func noEntrypoint(v *View, d *exited) *cause.Cause {
	if d.end.Code != 127 && d.end.Code != 126 {
		return nil
	}
	return d.likely(cause.Image, cause.BySpec, NoEntrypoint{Code: d.end.Code, Image: app.MainImage(v.Driver)}, 0)
}
