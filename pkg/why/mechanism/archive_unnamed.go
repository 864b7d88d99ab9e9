package mechanism

import (
	"path"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ArchiveUnnamed is a program in a folder of the working directory that does not exist, where an archive was unpacked under its own name:
// Spark unpacks X#NAME as NAME, and X as the last part of its path (core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala and
// SparkContext.scala@v3.5.5, spark.archives). An archive of that name without the program, and a program of the image, look alike.
type ArchiveUnnamed struct {
	Program, Folder string
	Archive         string // as it is given; of several, the first
	Setting         bool   // spark.archives of spec.sparkConf gives it, alone
}

// Mechanism names it.
func (ArchiveUnnamed) Mechanism() cause.ID { return "archive-unnamed" }

var (
	inFolder = lazyregexp.New(`^(?:\./)?([\w-][\w.-]*)/`)
	unpacks  = lazyregexp.New(`Unpacking an archive (\S+) from`)
)

// Unnamed explains a program that does not exist by the archives that an application has unpacked.
func Unnamed(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	m := inFolder.FindStringSubmatch(known.Groups["program"])
	if !is || known.Signature.ID != "python-not-found" || m == nil {
		return cause.Cause{}, false
	}
	set := strings.FieldsFunc(v.Spec.Conf["spark.archives"], func(r rune) bool { return r == ',' || r == ' ' })
	archives := append(append([]string{}, v.Spec.Archives...), set...)
	for _, found := range allInDriverLogs(v, unpacks) {
		archives = append(archives, found[1])
	}
	for _, one := range archives {
		if nameOf(one) == m[1] {
			return cause.Cause{}, false
		}
	}
	if len(archives) == 0 {
		return cause.Cause{}, false
	}
	d := ArchiveUnnamed{Program: known.Groups["program"], Folder: m[1], Archive: archives[0],
		Setting: len(set) == 1 && archives[0] == set[0] && !strings.Contains(set[0], "#")}
	return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d}, true
}

// nameOf is the folder that an archive is unpacked as.
func nameOf(archive string) string {
	if _, name, given := strings.Cut(archive, "#"); given {
		return name
	}
	return path.Base(archive)
}
