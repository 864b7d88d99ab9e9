package casefile

// seen is a piece of evidence in two halves: the place, which others may share, and what was seen there.
type seen struct{ place, text string }

func (d *Document) seenIn(e *Evidence) seen {
	if e.Object.Name == "" || e.Field == "" {
		return seen{}
	}
	text := oneLine(e.Value)
	if !e.Time.IsZero() {
		text += " at " + d.clock(e.Time)
	}
	return seen{place: d.display(e.Object) + ": " + e.Field, text: text}
}

// Fold makes one row of evidence that follows each other from one place, such as the lines of a log: the place once, and what was seen
// there below it. Other rows stay as they are.
func Fold(rows []Row) []Row {
	var out []Row
	for i := 0; i < len(rows); {
		end := i + 1
		for rows[i].seen.place != "" && end < len(rows) && rows[end].seen.place == rows[i].seen.place {
			end++
		}
		if end == i+1 {
			out = append(out, rows[i])
		} else {
			folded := rows[i]
			folded.Text = rows[i].seen.place
			for _, row := range rows[i:end] {
				folded.Lines = append(folded.Lines, row.seen.text)
			}
			out = append(out, folded)
		}
		i = end
	}
	return out
}
