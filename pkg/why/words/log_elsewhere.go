package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// logElsewhere is about a driver that wrote the reason to a file.
func logElsewhere(d *mechanism.LogElsewhere) Phrase {
	says := "the driver wrote its log to " + d.File.Path
	again := "log to the console, too, or to a PersistentVolumeClaim, and run it again"
	switch {
	case d.Claim != "":
		return Phrase{says + fmt.Sprintf(" on PersistentVolumeClaim %s, which was not read", d.Claim), []command.Command{command.Do(
			"read %s in a pod that mounts PersistentVolumeClaim %s, and log to the console, too", d.File.Path, d.Claim)}}
	case d.Empty:
		says += fmt.Sprintf(" on emptyDir %s, which is deleted with the pod and was not read", d.Volume)
	case d.Volume != "":
		return Phrase{says + fmt.Sprintf(" on volume %s, which was not read", d.Volume), []command.Command{command.Do(
			"read %s on volume %s, and log to the console, too", d.File.Path, d.Volume)}}
	default:
		says += " in its container, which was not read"
	}
	return Phrase{says, []command.Command{command.Do("%s", again)}}
}
