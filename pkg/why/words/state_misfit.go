package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// stateMisfit tells how the state in a checkpoint is different from what its query keeps now.
func stateMisfit(d *mechanism.StateMisfit) Phrase {
	where := "in its checkpoint"
	if d.Checkpoint != "" {
		where = "in " + shortPath(d.Checkpoint, 60)
	}
	var what []string
	if len(d.Added) > 0 {
		what = append(what, fmt.Sprintf("lacks %s, which the query keeps now", fieldList(d.Added)))
	}
	if len(d.Removed) > 0 {
		what = append(what, fmt.Sprintf("has %s, which the query no longer keeps", fieldList(d.Removed)))
	}
	for _, f := range d.Changed[:min(1, len(d.Changed))] {
		what = append(what, fmt.Sprintf("has field %s as %s, and the query keeps %s now", f.Name, plainType(f.From), plainType(f.To)))
	}
	return Phrase{fmt.Sprintf("the query no longer fits its checkpoint: its state %s %s", where, strings.Join(what, ", and ")),
		[]command.Command{command.Do("use a new checkpoint location, without the state so far, or run the query as it was; " +
			"stateSchemaCheck=false would read the state wrongly")}}
}

func fieldList(names []string) string {
	const most = 3
	list := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		list += ", …"
	}
	return phrase.Verb(len(names), "field ", "fields ") + list
}

// plainType is a type of Spark as SQL names it: LongType is "long".
func plainType(name string) string {
	if plain, is := strings.CutSuffix(name, "Type"); is {
		return strings.ToLower(plain)
	}
	return name
}
