package words

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// mostOfLine is how many bytes of a line stand beside a verdict.
const mostOfLine = 900

// Complaint is an error that was survived: its line, its exception, and the frame of the application.
func Complaint(c *logs.Complaint) string {
	if c.Root == (logs.Throwable{}) {
		return c.Line
	}
	says := c.Line + ": " + throwable(c.Root)
	if c.Frame != (logs.Place{}) {
		says += " at " + c.Frame.String()
	}
	return logs.Shortened(says, mostOfLine)
}
