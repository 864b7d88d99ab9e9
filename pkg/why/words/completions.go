package words

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// completions has the words for what is added to the verdict alone.
func completions(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.QuotaHeld:
		return quotaHeld(&d), true
	case mechanism.UserNameless:
		return userNameless(&d), true
	case mechanism.FilesInMemory:
		of := "the memory limit"
		if d.Limit > 0 {
			of = fmt.Sprintf("the limit of %d MiB", d.Limit)
		}
		return Phrase{Says: inMemory(d.Tmpfs, d.Spilled, of)}, true
	case mechanism.ANSIByDefault:
		return ansiByDefault(&d), true
	case mechanism.LossesMadeGood:
		return Phrase{Says: "on the way " + Lost(d.Lost) + ", and Spark did that work again"}, true
	case mechanism.CommitsRetried:
		return commitsRetried(&d), true
	case mechanism.ImagesDiffer:
		return Phrase{Says: fmt.Sprintf("the executors run image %s, the driver %s", d.Executor, d.Driver)}, true
	case mechanism.AzureIdentity:
		return azureIdentity(d), true
	case mechanism.ExecutorsOnSpot:
		return Phrase{Says: fmt.Sprintf("all %d executors run on spot nodes (%s=%s)", d.Executors, d.Key, d.Value)}, true
	case mechanism.StageGivenUp:
		return Phrase{Says: fmt.Sprintf("stage %d (%s) failed %d times, as its tasks could not fetch the shuffle files of lost executors",
			d.Stage, d.At, d.Times)}, true
	case mechanism.RunKilledBefore:
		return runKilledBefore(&d), true
	case mechanism.SearchedElsewhere:
		return searchedElsewhere(&d), true
	case mechanism.ErrorAtStop:
		return errorAtStop(&d), true
	case mechanism.CheckpointShared:
		return Phrase{fmt.Sprintf("SparkApplication %s/%s runs with %s, too", d.By.Namespace, d.By.Name, d.Checkpoint),
			[]command.Command{command.Do("stop SparkApplication %s/%s or this one, or give each its own checkpoint location", d.By.Namespace,
				d.By.Name)}}, true
	default:
		return Phrase{}, false
	}
}

// ansiByDefault is about a value that Spark 3 took.
func ansiByDefault(d *mechanism.ANSIByDefault) Phrase {
	what := "it"
	if d.Called != "" {
		what = "the " + d.Called + " at " + d.At
	}
	return Phrase{what + " fails by default only since Spark 4 (spark.sql.ansi.enabled)",
		[]command.Command{command.Do("or set spark.sql.ansi.enabled to false, as Spark 3 has it")}}
}

// commitsRetried is about commits that succeeded in the end.
func commitsRetried(d *mechanism.CommitsRetried) Phrase {
	after := behind(" after ", withoutPackage(d.Retries.Last.Root.Class))
	return Phrase{Says: fmt.Sprintf("Iceberg retried %s%s, and then committed snapshot %s", phrase.Counted(d.Retries.Times, "time"), after,
		d.Retries.Snapshot)}
}

// errorAtStop is about an error after the work.
func errorAtStop(d *mechanism.ErrorAtStop) Phrase {
	if c := &d.CleanUp; len(c.Resources) > 0 {
		return Phrase{fmt.Sprintf("the errors at its end are harmless clean-up: %s has no right to %s %s", c.Account, c.Verb,
			strings.Join(c.Resources, ", ")),
			[]command.Command{command.Do("to keep them out of logs, add the verb %s on %s to the Role of %s", c.Verb,
				strings.Join(c.Resources, ", "), c.Account)}}
	}
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
	return Phrase{Says: fmt.Sprintf("the certificate is of %s, a search domain of the %s (dnsConfig): a name with fewer than %d dots (ndots) "+
		"is looked up there first, so %s.%s most likely answered", d.Domain, d.Role, d.Dots, d.Host, d.Domain),
		Do: []command.Command{command.Do("set option ndots to %q in dnsConfig of the %s, or remove %s from its searches", "1", d.Role, d.Domain)}}
}
