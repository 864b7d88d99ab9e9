package words

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
)

// logWords are of what logs tell.
func (t Terms) logWords(c *cause.Cause) (Phrase, bool) {
	f, is := c.Detail.(logs.Failure)
	if !is {
		return Phrase{}, false
	}
	p := Phrase{Says: failure(&f, rank.Whole), Do: t.failureSteps(&f, c.Class)}
	if c.SignatureFile != "" {
		p.Says += " [by " + c.SignatureFile + "]"
	}
	return p, true
}

// failure is what failed, where, and what came of it; or the part of it that a clause says.
func failure(f *logs.Failure, part rank.Form) string {
	if part == rank.Lead {
		return inMetastore(f) + meant(&f.Finding, f.Lost).lead
	}
	says, spoken := finding(&f.Finding, f.Lost)
	if part == rank.Raised {
		says = meant(&f.Finding, f.Lost).raised
	}
	if _, all := f.Meaning.(logs.DriverUnreached); all {
		return says
	}
	says = aftermath(says, f, &spoken)
	if f.Identity.Host != "" {
		says += "; before that it did not reach " + f.Identity.Host + ", which gives pods an identity (" + withoutPackage(f.Identity.Class) + ")"
	}
	if f.Package != "" && !spoken.holds(f.Package) {
		says += ", in package " + f.Package
	}
	says = endpoints(says, f.Endpoints, &spoken)
	if f.Strength >= logs.Plausible && len(f.Lost.Executors) == 0 {
		says = at(says, f.Frame, &spoken)
	}
	says += whose(f)
	if _, last := f.Meaning.(logs.LastWords); f.Strength == logs.EffectOnly && !last {
		return "the log tells only consequences: " + says
	}
	return says
}

// inMetastore begins what is said of a failure that the Hive metastore had, and its client handed on; empty: it had none.
func inMetastore(f *logs.Failure) string {
	if _, starts := f.Meaning.(logs.SparkNotStarted); f.OfMetastore && !starts {
		return "the Hive metastore itself failed: "
	}
	return ""
}

// finding is what exceptions, or a line, mean.
func finding(f *logs.Finding, lost logs.Lost) (string, quotes) {
	says, spoken := meaning(f, lost)
	_, starts := f.Meaning.(logs.SparkNotStarted)
	if f.OfMetastore && !starts {
		says = "the Hive metastore itself failed: " + says
	}
	if f.Nameservice != "" {
		says += "; HDFS takes " + f.Nameservice + " for a host: the Hadoop configuration of this process has no nameservice of that name"
		spoken.add(f.Nameservice)
	}
	if f.For != (logs.Throwable{}) && !starts {
		says = logs.Shortened(says+"; the application called that because of "+spoken.throw(f.For), 3*mostSaid)
	}
	if f.Earlier != nil {
		before, quoted := finding(f.Earlier, logs.Lost{})
		says = logs.Shortened(before+"; then "+says, 3*mostSaid)
		spoken.join(quoted)
	}
	return says, spoken
}

// aftermath adds how the application failed in the end.
func aftermath(says string, f *logs.Failure, spoken *quotes) string {
	switch f.After.How {
	case logs.FailedLater:
		return logs.Shortened(says+"; after that the application failed with "+spoken.throw(f.After.With), 3*mostSaid)
	case logs.FailedAtOnce:
		return at(logs.Shortened(says, 2*mostSaid), f.Frame, spoken) + "; right after that the application failed"
	case logs.GaveUp:
		return at(logs.Shortened(says, 2*mostSaid), f.Frame, spoken) + "; then the application gave up"
	case logs.FailedAtRest:
		return logs.Shortened(says+"; later the application failed at what that left: "+spoken.throw(f.After.With), 3*mostSaid)
	default:
		return says
	}
}

// at adds a place, if that was not said.
func at(says string, p logs.Place, spoken *quotes) string {
	if p == (logs.Place{}) || spoken.at(p) {
		return says
	}
	return says + " at " + spoken.place(p)
}

// endpoints adds what a connection was for, if that was not said.
func endpoints(says string, e logs.Endpoints, spoken *quotes) string {
	switch {
	case len(e.Names) == 0:
		return says
	case e.InLog:
		return says + "; the log names " + strings.Join(e.Names, ", ")
	case spoken.holds(e.Names[0]):
		return says
	default:
		return says + "; the exception names " + e.Names[0]
	}
}

// attempts is how often a task was tried; empty: no job was given up for one.
func attempts(a logs.Attempts) string {
	if a == (logs.Attempts{}) {
		return ""
	}
	return "task " + strconv.Itoa(a.Task) + " of stage " + strconv.Itoa(a.Stage) + " failed " + strconv.Itoa(a.Times) + " times"
}

// whose is which process failed, or which task.
func whose(f *logs.Failure) string {
	tried, task := f.Attempts != logs.Attempts{}, attempts(f.Attempts)
	switch {
	case f.OfMetastore:
		return ""
	case len(f.Lost.Executors) > 0:
		return behind("; ", afterLoss(f))
	case f.Executor != "" && tried:
		return " (executor " + f.Executor + "; " + task + ")"
	case f.Executor != "":
		return " (executor " + f.Executor + ")"
	case tried:
		return " (" + task + ")"
	case f.Worker:
		return " (Python worker)"
	case f.In == cause.DriverRole && refusesExecutors(f):
		return ""
	case f.In != "":
		return " (" + string(f.In) + ")"
	default:
		return ""
	}
}

// afterLoss is what came of executors that were lost; empty: the log does not say.
func afterLoss(f *logs.Failure) string {
	switch {
	case f.Attempts != logs.Attempts{}:
		return attempts(f.Attempts)
	case f.GivenUp != nil:
		return fmt.Sprintf("stage %d failed %d times, as its tasks could not fetch the shuffle files of lost executors", f.GivenUp.Stage,
			f.GivenUp.Times)
	default:
		return ""
	}
}

// refusesExecutors reports whether the API server refused a pod for a quota or a range: the log of a driver tells of those of its
// executors.
func refusesExecutors(f *logs.Failure) bool {
	known, is := f.Meaning.(logs.Known)
	return is && known.Signature.Topics().Has(cause.PodRefused)
}
