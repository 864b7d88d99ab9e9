package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// StateMisfit is a query whose state in its checkpoint has other fields than the query keeps now: Spark names both schemas
// (STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE and its like in common/utils/src/main/resources/error/error-conditions.json@v4.0.1, and
// StateSchemaCompatibilityChecker.scala@v3.5.5). A checkpoint with another number of sources looks alike, and names no schemas.
type StateMisfit struct {
	Checkpoint string   // where the query keeps it; empty: the log does not say
	Added      []string // fields that the state lacks
	Removed    []string // fields that only the state has
	Changed    []FieldType
}

// FieldType is a field whose type has changed.
type FieldType struct{ Name, From, To string }

// Mechanism names it.
func (StateMisfit) Mechanism() cause.ID { return "state-misfit" }

var (
	bothSchemas      = lazyregexp.New(`Existing (?:key|value)_schema=(StructType\(.*\)) and new (?:key|value)_schema=(StructType\(.*\))`)
	oneSchema        = lazyregexp.New(`- (Provided|Existing) (key|value) schema: (StructType\(.*\))`)
	storesCheckpoint = lazyregexp.New(`\. Use (\S+) to store the query checkpoint`)
)

// MisfitState finds what is different, where the words of a failure name both schemas.
func MisfitState(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "checkpoint-incompatible" {
		return cause.Cause{}, false
	}
	d := schemasThatDiffer(v)
	if len(d.Added)+len(d.Removed)+len(d.Changed) == 0 {
		return cause.Cause{}, false
	}
	if at := allInDriverLogs(v, storesCheckpoint); len(at) == 1 { // of several queries it is not known which
		d.Checkpoint = at[0][1]
	}
	return cause.Cause{Class: about.Class, Role: about.Role, Subject: about.Subject, At: about.At, Trust: about.Trust, Detail: d}, true
}

// schemasThatDiffer compares what the words of Spark 4 name in a line, and those of Spark 3 in four.
func schemasThatDiffer(v *View) StateMisfit {
	if both := allInDriverLogs(v, bothSchemas); len(both) > 0 {
		last := both[len(both)-1]
		return differences(structFields(last[1]), structFields(last[2]))
	}
	named := map[string][]FieldType{}
	for _, m := range allInDriverLogs(v, oneSchema) {
		named[m[1]+m[2]] = structFields(m[3])
	}
	for _, part := range []string{"key", "value"} {
		was, now := named["Existing"+part], named["Provided"+part]
		if was != nil && now != nil {
			if d := differences(was, now); len(d.Added)+len(d.Removed)+len(d.Changed) > 0 {
				return d
			}
		}
	}
	return StateMisfit{}
}

func differences(was, now []FieldType) (d StateMisfit) {
	has := func(list []FieldType, name string) (FieldType, bool) {
		for _, f := range list {
			if f.Name == name {
				return f, true
			}
		}
		return FieldType{}, false
	}
	for _, f := range now {
		before, had := has(was, f.Name)
		switch {
		case !had:
			d.Added = append(d.Added, f.Name)
		case before.To != f.To:
			d.Changed = append(d.Changed, FieldType{f.Name, before.To, f.To})
		}
	}
	for _, f := range was {
		if _, has := has(now, f.Name); !has {
			d.Removed = append(d.Removed, f.Name)
		}
	}
	return d
}

// structFields are the fields of a schema as Spark prints it: StructType(StructField(count,LongType,false),…). To is the type.
func structFields(text string) []FieldType {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "StructType("), ")")
	var out []FieldType
	depth, begins := 0, 0
	for i, r := range text + "," {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth <= 0:
			one, is := strings.CutPrefix(text[begins:i], "StructField(")
			begins = i + 1
			name, rest, both := strings.Cut(strings.TrimSuffix(one, ")"), ",")
			if at := strings.LastIndexByte(rest, ','); is && both && at > 0 {
				out = append(out, FieldType{Name: name, To: rest[:at]})
			}
		}
	}
	return out
}
