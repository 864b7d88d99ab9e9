package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// mostOfLine is how many bytes of a line stand beside a verdict.
const mostOfLine = 900

// Stage is how far a stage is: "stage 4 (parquet at Load.scala:9): 153 of 480 tasks finished".
func Stage(s logs.Stage) string {
	tasks := "tasks"
	if s.Of == 1 {
		tasks = "task"
	}
	return fmt.Sprintf("stage %d (%s): %d of %d %s finished", s.ID, s.At, s.Done, s.Of, tasks)
}

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
