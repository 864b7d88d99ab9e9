package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// placesOf are where in files the objects stand that findings join. A finding itself carries the place of its own object only.
func placesOf(s *snapshot.Snapshot, results []check.Result) map[snapshot.Key]snapshot.Location {
	places := map[snapshot.Key]snapshot.Location{}
	for i := range results {
		for j := range results[i].Findings {
			for _, o := range results[i].Findings[j].Objects {
				places[o.Key()] = snapshot.Location{}
			}
		}
	}
	if !s.Files || len(places) == 0 {
		return nil
	}
	for o := range s.Objects() {
		if _, joined := places[o.Key()]; joined && o.Location.File != "" {
			places[o.Key()] = o.Location
		}
	}
	return places
}

func affectedBy(f *check.Reported, places map[snapshot.Key]snapshot.Location) []Affected {
	var out []Affected
	for _, o := range f.Objects {
		one := Affected{Ref: o, Field: f.FieldOf(o)}
		at := places[o.Key()]
		if o.Key() == f.Object.Key() {
			at = f.Location()
		}
		if at != (snapshot.Location{}) {
			one.Location = &at
		}
		out = append(out, one)
	}
	return out
}

// Places are the objects of a finding with their places, for formats that point at each.
func (i *Item) Places() []Affected {
	if len(i.Objects) > 0 {
		return i.Objects
	}
	return []Affected{{Ref: i.Object, Location: i.Location, Field: i.Field, FieldLine: i.FieldLine}}
}

// Others is how many objects a finding is about beside its own. A namespace stands for what is in it, and is none of them: the message
// counts these.
func (i *Item) Others() int {
	if len(i.Objects) == 0 || i.Objects[0].Kind != i.Object.Kind {
		return 0
	}
	return len(i.Objects) - 1
}

// Line is where to point at: the field, else the object.
func (o *Affected) Line() int { return max(1, o.Location.Line, o.FieldLine) }

// FilePlace is the file and the line to point at; empty where the object is in none.
func (i *Item) FilePlace() (file string, line int) {
	o := Affected{Location: i.Location, FieldLine: i.FieldLine}
	if o.Location == nil || o.Location.File == "" {
		return "", 0
	}
	return o.Location.File, o.Line()
}

// JoinedRefs are the objects that a finding joins; none where it is about one.
func (i *Item) JoinedRefs() []snapshot.Ref { return refsOf(i.Objects) }

func refsOf(list []Affected) []snapshot.Ref {
	var out []snapshot.Ref
	for _, o := range list {
		out = append(out, o.Ref)
	}
	return out
}

// nameFiles puts the place of the finding into what there is to do about a manifest.
func (i *Item) nameFiles() {
	file, line := i.FilePlace()
	for n := range i.Next {
		next := &i.Next[n]
		if next.inManifest == "" {
			continue
		}
		names := strings.NewReplacer(command.Place, fmt.Sprintf("%s:%d", file, line), command.ApplyFile, applied(file))
		next.Text = names.Replace(next.inManifest)
		if more := len(i.Objects) - 1; more > 0 && strings.Contains(next.inManifest, command.Place) {
			next.Text += " (and of " + phrase.Counted(more, "more object") + ")"
		}
	}
}

// applied is how a file is applied; one in an archive, or without a name, kubectl does not take.
func applied(file string) string {
	inArchive := func(ext string) bool { return strings.Contains(file, ext+"/") }
	if file == "stdin" || slices.ContainsFunc([]string{".tgz", ".gz", ".tar"}, inArchive) {
		return "apply the corrected file"
	}
	return "kubectl apply -f " + command.Quoted(file)
}

// Locate has the lines of fields looked up; lineOf returns 0 for one that it does not find.
func (r *Report) Locate(lineOf func(o snapshot.Ref, at snapshot.Location, field string) int) {
	for _, items := range [][]Item{r.Items, r.suppressed} {
		for i := range items {
			item := &items[i]
			if item.Location != nil && item.Field != "" {
				item.FieldLine = lineOf(item.Object, *item.Location, item.Field)
				item.nameFiles()
			}
			for j := range item.Objects {
				if o := &item.Objects[j]; o.Location != nil && o.Field != "" {
					o.FieldLine = lineOf(o.Ref, *o.Location, o.Field)
				}
			}
		}
	}
}
