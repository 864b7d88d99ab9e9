package phrase

import "strings"

// OneLine returns a text as one line of at most so many bytes.
func OneLine(text string, most int) string {
	text = strings.TrimRight(strings.Join(strings.Fields(text), " "), ". ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// WithMessage returns a reason with the message that belongs to it, if there is one.
func WithMessage(text, message string) string {
	if message == "" {
		return text
	}
	return text + ": " + message
}
