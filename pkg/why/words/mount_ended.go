package words

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// mountEnded is about the process behind a FUSE mount. The limit of a mount pod of JuiceFS comes from its StorageClass
// (docs/en/guide/resource-optimization.md of juicedata/juicefs-csi-driver@v0.28.0).
func mountEnded(d *mechanism.MountEnded) Phrase {
	serves := "container " + d.Container
	if d.Container == juicefs {
		serves = "the JuiceFS mount pod"
	}
	how := fmt.Sprintf("ended with exit code %d", d.Code)
	if d.OOMKilled {
		how = "exceeded its memory limit (OOMKilled)"
		if d.Limit != "" {
			how = "exceeded its memory limit of " + d.Limit + " (OOMKilled)"
		}
	}
	says := fmt.Sprintf("%s of node %s %s at %s, %s", serves, d.Node, how, d.Ended.Format(time.TimeOnly),
		phrase.Counted(int(d.Restarts), "restart"))
	logs := fmt.Sprintf("kubectl -n %s logs %s -c %s --previous", d.Namespace, d.Pod, d.Container)
	switch {
	case d.OOMKilled && d.Container == juicefs:
		return Phrase{says, []command.Command{command.Do("raise juicefs/mount-memory-limit of the StorageClass above %s, or lower buffer-size "+
			"in its mountOptions; then delete the mount pod, and run the application with new pods", orNone(d.Limit)).With("%s", logs)}}
	case d.OOMKilled:
		return Phrase{says, []command.Command{command.Do("raise the memory limit of container %s above %s; pods that are created after that get "+
			"a mount that works", d.Container, orNone(d.Limit)).With("%s", logs)}}
	default:
		return Phrase{says, []command.Command{command.Do("read why container %s ended; pods that are created after that get a mount that works",
			d.Container).With("%s", logs)}}
	}
}

// juicefs is the container of a mount pod of JuiceFS.
const juicefs = "jfs-mount"

func orNone(limit string) string {
	if limit == "" {
		return "what it has"
	}
	return limit
}
