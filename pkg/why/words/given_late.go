package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// ofGiven has the words for a failure that what the application gives to its processes explains: a jar, an image, credentials, partitions.
func ofGiven(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.StoreRefused:
		return storeRefused(c, &d), true
	case mechanism.VendedExpired:
		return vendedExpired(&d), true
	case mechanism.JarTooLate:
		return Phrase{fmt.Sprintf("executors of Spark %s make their shuffle manager %s before they fetch %s, which only %s names", d.Spark,
			d.Class, d.Jar, d.Field), []command.Command{command.Do("put the jar into /opt/spark/jars of the executors' image, or mount it and set " +
			"spark.executor.extraClassPath to it; Spark 4.0 and later fetches it first")}}, true
	case mechanism.LacksAgent:
		return lacksAgent(&d), true
	case mechanism.ConnectionsUsedUp:
		return usedUp(&d), true
	case mechanism.TokenUnmounted:
		return tokenUnmounted(c, &d), true
	case mechanism.LocaleUnfit:
		return localeUnfit(&d), true
	default:
		return Phrase{}, false
	}
}

// storeRefused says what S3 refused, and whom, where that is known.
func storeRefused(c *cause.Cause, d *mechanism.StoreRefused) Phrase {
	what := "access"
	if d.Action != "" {
		what = d.Action
	}
	most := 60
	if d.Node {
		most = 30 // who that is stands beside it
	}
	on := ""
	if d.Path != "" {
		on = " on " + shortPath(d.Path, most)
	}
	whom, who := " the driver", "the identity of the pod"
	switch {
	case d.Role != "":
		who = "role " + d.Role
		whom = fmt.Sprintf(" %s (service account %s)", who, d.Account)
	case d.Node:
		whom = ""
	case d.Actor != "":
		who = d.Actor
		whom = " " + who
	case c.Role == cause.ExecutorRole:
		whom = " the executors"
	}
	says := fmt.Sprintf("S3 refused%s %s (403)%s", whom, what, on)
	if d.Field != "" {
		says += fmt.Sprintf(", which %s names", d.Field)
	}
	next := fmt.Sprintf("allow %s s3:ListBucket on bucket %s and s3:GetObject, s3:PutObject and s3:DeleteObject in it, and its KMS key", who,
		d.Bucket)
	if d.Action != "" {
		next = fmt.Sprintf("allow %s %s on %s, and the use of its KMS key", who, d.Action, shortPath(d.Path, most))
	}
	if d.Event {
		next += "; until then spark.eventLog.enabled=false lets it run without history"
	}
	return Phrase{says, []command.Command{command.Do("%s", next)}}
}

// shortPath is a path without what is below its first folders: files of a table have long names.
func shortPath(path string, most int) string {
	if len(path) <= most {
		return path
	}
	scheme, rest, _ := strings.Cut(path, "://")
	folders := strings.Split(rest, "/")
	out := scheme + "://" + folders[0]
	for _, folder := range folders[1:] {
		if len(out)+1+len(folder) > most {
			break
		}
		out += "/" + folder
	}
	if out == path {
		return out
	}
	return out + "/…"
}

// vendedExpired is about credentials that a catalog hands out.
func vendedExpired(d *mechanism.VendedExpired) Phrase {
	after := ""
	if d.After > 0 {
		after = fmt.Sprintf(", %s after the driver started", age(d.After))
	}
	says := fmt.Sprintf("the S3 credentials that REST catalog %s vended with the table expired%s", d.Catalog, after)
	refresh := "use a catalog server that returns client.refresh-credentials-endpoint"
	if !d.Renews() {
		says += fmt.Sprintf(", and Iceberg %s does not refresh them", d.Iceberg)
		refresh = "use Iceberg 1.8 or later and a catalog server that returns client.refresh-credentials-endpoint"
	}
	return Phrase{says, []command.Command{command.Do("%s; until then let one run take less time than its credentials last, or raise how long "+
		"the server makes them last", refresh)}}
}

// lacksAgent is about an agent that only the driver's image has.
func lacksAgent(d *mechanism.LacksAgent) Phrase {
	ends := "so their JVM does not start"
	if d.Exited > 0 {
		ends = fmt.Sprintf("so %s ended with exit code 1", phrase.Counted(d.Exited, "executor"))
	}
	next := "add the jar to the executors' image, or let spec.executor.image be that of the driver"
	if d.Monitoring {
		next += "; spec.monitoring.exposeExecutorMetrics: false leaves the agent out of executors"
	}
	return Phrase{fmt.Sprintf("the executors' image %s lacks the Java agent %s, %s; the driver started with it in image %s", d.Lacks, d.Jar,
		ends, d.Other), []command.Command{command.Do("%s", next)}}
}

// usedUp is about a read that takes more connections than a database has.
func usedUp(d *mechanism.ConnectionsUsedUp) Phrase {
	says := fmt.Sprintf("the database has no connection left: the JDBC read has %d partitions and %d executors run %d tasks at once, each "+
		"with a connection of its own", d.Partitions, d.Executors, d.Slots)
	below := "max_connections less what is reserved and what others use"
	if d.Most > 0 {
		free := d.Most - d.Reserved
		says += fmt.Sprintf("; ConfigMap %s sets max_connections %d", d.Settings, d.Most)
		below = fmt.Sprintf("%d", free)
		if d.Reserved > 0 {
			says += fmt.Sprintf(", %d reserved", d.Reserved)
		}
		if each := d.Slots / max(1, d.Executors); each > 0 && free/each > 0 {
			below += fmt.Sprintf(" (with %d executors: %d)", free/each, free/each*each)
		}
	}
	return Phrase{says, []command.Command{command.Do("lower numPartitions of the read, or spec.executor.instances, until fewer tasks run at "+
		"once than %s, or raise max_connections", below)}}
}
