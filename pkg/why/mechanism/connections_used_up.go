package mechanism

import (
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ConnectionsUsedUp is a database without a connection left, where a JDBC read has more partitions than one: each task of it that runs has
// a connection of its own (JDBCRDD.compute in sql/core/src/main/scala/org/apache/spark/sql/execution/datasources/jdbc@v3.5.5). Others may
// have taken the connections; how many the database has is not in the log.
type ConnectionsUsedUp struct {
	Partitions int // of the last read before
	Slots      int // tasks that run at once, by the spec
	Executors  int
	Cores      int
	Settings   string // ConfigMap named for the host of the database; empty: none was seen
	Most       int    // max_connections in it
	Reserved   int    // superuser_reserved_connections in it
}

// Mechanism names it.
func (ConnectionsUsedUp) Mechanism() cause.ID { return "connections-used-up" }

// AtOnce is how many connections the read takes at most.
func (d ConnectionsUsedUp) AtOnce() int { return min(d.Partitions, d.Slots) }

// sql/core/src/main/scala/org/apache/spark/sql/execution/datasources/jdbc/JDBCRelation.scala@v3.5.5
var partitionsOfRead = lazyregexp.New(`JDBCRelation: Number of partitions: (\d+)`)

var hostOfRead = lazyregexp.New(`jdbc:(?:postgresql|mysql|mariadb)://([\w-]+)[\w.-]*(?::\d+)?/`)

// settings finds the ConfigMap of the database: of the host that the driver's log names last, by its name.
func (d *ConnectionsUsedUp) settings(v *View) []cause.Proof {
	hosts := allInDriverLogs(v, hostOfRead)
	if len(hosts) == 0 {
		return nil
	}
	host := hosts[len(hosts)-1][1]
	for i := range v.ConfigMaps {
		one := &v.ConfigMaps[i]
		if one.Connections != "" && (one.Name == host || strings.HasPrefix(one.Name, host+"-")) {
			d.Settings, d.Most, d.Reserved = one.Name, whole(one.Connections), whole(one.Reserved)
			ref := snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: v.Subject.Namespace, Name: one.Name}
			return []cause.Proof{{Object: ref, Field: "max_connections", Value: one.Connections}}
		}
	}
	return nil
}

// UsedUp compares the partitions of a read with the tasks that run at once.
func UsedUp(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	all := allInDriverLogs(v, partitionsOfRead)
	if !is || known.Signature.ID != "jdbc-connections" || len(all) == 0 || v.Application == nil {
		return cause.Cause{}, false
	}
	last := all[len(all)-1]
	d := ConnectionsUsedUp{Partitions: whole(last[1]), Executors: v.Spec.Asked(), Cores: v.coresOfExecutor()}
	if d.Slots = d.Executors * v.tasksAtOnce(); d.Slots < 2 || d.Partitions < 2 {
		return cause.Cause{}, false
	}
	if v.Driver == nil {
		return cause.Cause{}, false
	}
	proofs := append([]cause.Proof{{Object: Ref(v.Driver), Field: v.logField(), Value: last[0]},
		{Object: v.AppRef(), Field: "spec.executor.instances", Value: strconv.Itoa(d.Executors)}}, d.settings(v)...)
	return cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: proofs}, true
}

// coresOfExecutor is how many tasks of one core an executor runs at once.
func (v *View) coresOfExecutor() int {
	if n := v.Spec.Executor.Cores; n > 0 {
		return n
	}
	return max(1, whole(v.Spec.Conf["spark.executor.cores"]))
}

// tasksAtOnce is how many tasks an executor runs at once: as many as its cores are multiples of spark.task.cpus
// (core/src/main/scala/org/apache/spark/resource/ResourceProfile.scala@v3.5.5).
func (v *View) tasksAtOnce() int {
	return v.coresOfExecutor() / max(1, whole(v.Spec.Conf["spark.task.cpus"]))
}

// whole is a number; 0: it is none.
func whole(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}
