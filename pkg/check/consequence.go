package check

// Consequence is what a finding means to those who run jobs. Lesser ones are worse: a verdict begins with them.
type Consequence int

// The first value says that a check states none, which a test refuses.
const (
	_           Consequence = iota
	StopsAll                // jobs of a whole operator or namespace neither start nor end
	LosesWork               // work or its result is deleted, unrecorded, or done twice
	StopsJobs               // an application does not start, run or end
	ChangesJobs             // jobs run otherwise than their specification says
	WillStop                // nothing is stopped yet: a limit or an event will
	Wastes                  // it costs money, room or attention, and no job
)

// Consequences returns all of them, worst first.
func Consequences() []Consequence {
	return []Consequence{StopsAll, LosesWork, StopsJobs, ChangesJobs, WillStop, Wastes}
}

// String returns the word of the report; empty for one that is not stated.
func (c Consequence) String() string {
	return [...]string{"", "stopsAll", "losesWork", "stopsJobs", "changesJobs", "willStop", "wastes"}[c]
}
