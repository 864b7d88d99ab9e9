package words

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// errorAtStop is about an error after the work.
func errorAtStop(d *mechanism.ErrorAtStop) Phrase {
	return Phrase{Says: "the error in its log came while Spark stopped, after the work: " + throwable(d.Error.Root)}
}

// userNameless is about the user of a container, whose ID has no name in its image.
func userNameless(d *mechanism.UserNameless) Phrase {
	says := fmt.Sprintf("the %s runs as user %d (runAsUser)", d.Role, d.User)
	if d.ReadOnly {
		says += ", and readOnlyRootFilesystem keeps the entrypoint from adding a name to /etc/passwd"
	}
	return Phrase{Says: says, Do: []command.Command{command.Do("add user %d to /etc/passwd of the image, or set runAsUser to a user of the "+
		"image (185 in Spark's own; HADOOP_USER_NAME does not help)", d.User)}}
}

// runKilledBefore is about the run before this one.
func runKilledBefore(d *mechanism.RunKilledBefore) Phrase {
	says := fmt.Sprintf("the run before it, %s, was killed (%s, exit code %d)", d.Run, d.Reason, d.Code)
	if !d.Ended.IsZero() {
		says += " at " + d.Ended.Format(time.TimeOnly)
	}
	return Phrase{Says: says}
}

// searchedElsewhere is about a name that the search domains of a pod make another one.
func searchedElsewhere(d *mechanism.SearchedElsewhere) Phrase {
	return Phrase{Says: fmt.Sprintf("the certificate is of %s, a search domain of the %s (dnsConfig): a name with fewer than %d dots (ndots) is "+
		"looked up there first, so %s.%s most likely answered", d.Domain, d.Role, d.Dots, d.Host, d.Domain),
		Do: []command.Command{command.Do("set option ndots to %q in dnsConfig of the %s, or remove %s from its searches", "1", d.Role, d.Domain)}}
}
