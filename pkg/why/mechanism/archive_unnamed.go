package mechanism

import (
	"cmp"
	"path"
	"slices"
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
	Archive         Archive // of several, the first
	Setting         bool    // spark.archives of spec.sparkConf gives it, alone
}

// Archive is an archive that Spark unpacks, as "FILE#NAME" gives it.
type Archive struct {
	File string // where it is read
	Name string // that is given for its folder; empty: none is
}

// folder is what it is unpacked as.
func (a Archive) folder() string { return cmp.Or(a.Name, path.Base(a.File)) }

func archiveIn(text string) Archive {
	file, name, _ := strings.Cut(text, "#")
	return Archive{File: file, Name: name}
}

// archives are those that the spec gives: in its field, and in the setting.
func archives(v *View) (field, setting []Archive) {
	for _, one := range v.Spec.Archives {
		field = append(field, archiveIn(one))
	}
	for one := range strings.FieldsFuncSeq(v.Spec.Conf["spark.archives"], func(r rune) bool { return r == ',' || r == ' ' }) {
		setting = append(setting, archiveIn(one))
	}
	return field, setting
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
	field, set := archives(v)
	all := slices.Concat(field, set)
	for _, found := range allInDriverLogs(v, unpacks) {
		all = append(all, archiveIn(found[1]))
	}
	if len(all) == 0 || slices.ContainsFunc(all, func(a Archive) bool { return a.folder() == m[1] }) {
		return cause.Cause{}, false
	}
	d := ArchiveUnnamed{Program: known.Groups["program"], Folder: m[1], Archive: all[0],
		Setting: len(set) == 1 && all[0] == set[0] && set[0].Name == ""}
	return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d}, true
}
