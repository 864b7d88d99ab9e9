package change

import (
	"math"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// bySignature is what the signature of a message says is to be changed.
func bySignature(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(logs.Failure)
	if !is {
		return nil
	}
	known, is := d.Meaning.(logs.Known)
	if !is {
		return nil
	}
	role := roleOf(c)
	if d.Worker {
		role = cause.ExecutorRole
	}
	var out []Change
	for i := range known.Signature.Change {
		one, is := advised(v, role, &known.Signature.Change[i], known.Groups)
		if !is {
			return nil // without one of them the others do not help
		}
		out = append(out, one...)
	}
	return out
}

// advised is one change of a signature, with the values of this application and this message.
func advised(v *mechanism.View, role cause.Role, c *catalog.Change, groups map[string]string) ([]Change, bool) {
	setting, whole := catalog.Fill(c.Setting, groups)
	if !whole {
		return nil, false
	}
	f, unit := field{setting: setting, holds: c.Unset}, c.Unit
	switch c.Field {
	case "memory":
		f, unit = heap(role), "m"
	case "memoryOverhead":
		list := container(v, role, v.Tmpfs(role), v.Limit(role), need{})
		return list, len(list) > 0
	case "cores":
		f = cores(role)
	case "image":
		if role == cause.DriverRole {
			return nil, false
		}
		list := oneImage(v)
		return list, len(list) > 0
	}
	switch {
	case c.Remove:
		one := set(v, f, "", Told{})
		one.To = nil
		return []Change{one}, one.From != nil && one.Object.Name != ""
	case c.To != "":
		to, whole := catalog.Fill(c.To, groups)
		if f.now(v) == to {
			return nil, whole // it is as it should be, and another one may not be
		}
		if n, err := strconv.Atoi(to); f.isNumber() && err == nil {
			return []Change{setNumber(v, f, n, Told{})}, whole
		}
		return []Change{set(v, f, to, Told{})}, whole
	}
	before, has := f.amount(v, unit)
	to, because, is := multiple(before, has, unit, c, groups)
	if unit == "m" {
		return []Change{set(v, f, mebi(int64(to)), because)}, is
	}
	return []Change{setNumber(v, f, to, because)}, is
}

// amount is the value that counts, in the unit of its setting.
func (f field) amount(v *mechanism.View, unit string) (float64, bool) {
	if role, has := f.roleIn(v); has && f.isNumber() {
		if n := f.numberOf(v.Spec.Role(role)); n != 0 {
			return float64(n), true
		}
	}
	return number(f.now(v), unit)
}

// multiple is a multiple of the present value, or of what the message says was needed.
func multiple(before float64, has bool, unit string, c *catalog.Change, groups map[string]string) (int, Reason, bool) {
	because := Scaled{Times: c.Times, Of: OfPresent}
	base, known := before, has
	if c.Needs != "" {
		text, whole := catalog.Fill(c.Needs, groups)
		if base, known = number(text, "bytes"); unit == "s" {
			base, known = number(text, "s")
		}
		because = Scaled{Times: c.Times, Of: OfNeeded, Value: text}
		if unit != "s" {
			because.Value = strconv.FormatInt(int64(math.Ceil(base)), 10) + " MiB"
		}
		known = known && whole
	}
	to := math.Ceil(base * c.Times)
	if most, has := number(c.Most, unit); has {
		to = min(to, most)
	}
	noMore := has && to <= before
	if !known || to <= 0 || noMore {
		return 0, nil, false
	}
	return int(to), because, true
}

// number reads a value in the unit of a setting: MiB for m and MiB, else a plain number. What a message calls bytes is a number of them,
// or has a unit: "1030.2 MiB".
func number(text, unit string) (float64, bool) {
	switch unit {
	case "m":
		n, is := app.Mebibytes(text)
		return float64(n), is
	case "bytes":
		figure, word, _ := strings.Cut(strings.TrimSpace(text), " ")
		n, err := strconv.ParseFloat(strings.ReplaceAll(figure, ",", ""), 64)
		per := map[string]float64{"": 1.0 / (1 << 20), "B": 1.0 / (1 << 20), "KiB": 1.0 / 1024, "MiB": 1, "GiB": 1024, "TiB": 1 << 20}
		return n * per[word], err == nil && per[word] > 0
	default:
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil
	}
}
