package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// startWords are about containers that a runtime could not start.
func startWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.StartFailed:
		says := fmt.Sprintf("the container of the %s could not be started (%s, exit code %d): %s", driver(d.Server), d.Reason, d.Exit,
			sentence(d.Said))
		if d.Fault == mechanism.WrongArchitecture {
			says = fmt.Sprintf("image %s was built for another CPU architecture than its node has (exec format error)", d.Image)
		}
		return Phrase{Says: says, Do: startNext(d.Fault)}, true
	case mechanism.ExecutorsUnstarted:
		return Phrase{Says: fmt.Sprintf("%s of %d could not be started: %s", phrase.Counted(d.N, "executor"), d.Of, sentence(d.Said)),
			Do: startNext(d.Fault)}, true
	case mechanism.MountFailed:
		return mountFailed(&d), true
	default:
		return Phrase{}, false
	}
}

func startNext(of mechanism.StartFault) []command.Command {
	switch of {
	case mechanism.WrongArchitecture:
		return []command.Command{command.Do("build the image for the architecture of the nodes, or select nodes of its own by " +
			"kubernetes.io/arch")}
	case mechanism.NoCommand:
		return []command.Command{command.Do("use an image that has the command: the entrypoint of Spark for Kubernetes is /opt/entrypoint.sh")}
	case mechanism.NotExecutable:
		return []command.Command{command.Do("make the file that the message names executable in the image, for the user that the pod runs as")}
	case mechanism.StartOOMKilled:
		return []command.Command{command.Do("raise the memory limit of the container: its first process did not fit")}
	case mechanism.NodeDiskFull:
		return []command.Command{command.Do("free the disk of the node, or run on another node")}
	case mechanism.RuntimeFailed:
		return []command.Command{command.Do("run it again, and look at the node and its container runtime if it fails there once more")}
	default:
		return nil
	}
}

func mountFailed(d *mechanism.MountFailed) Phrase {
	volume := "a volume"
	if d.Volume != "" {
		volume = "volume " + d.Volume
	}
	out := Phrase{Says: fmt.Sprintf("the container of the %s could not be started: %s cannot be mounted at %s: %s", driver(d.Server), volume,
		d.At, strings.TrimSpace(d.Said)), Do: []command.Command{command.Do("correct the volume that is mounted at %s", d.At)}}
	if d.SubPath != "" {
		of := d.Source.Kind + " " + d.Source.Name
		out.Says += fmt.Sprintf("; the kubelet creates a directory for a subPath that does not exist: %s in %s", d.SubPath, of)
		out.Do = []command.Command{command.Do("correct subPath %s, or add it to %s", d.SubPath, of)}
	}
	return out
}
