package logs

import (
	"strings"
)

// milestone is what a message tells of how far a driver is, where things go well.
type milestone int

const (
	noMilestone milestone = iota
	registers             // an executor reported to the driver
	jobBegins
	jobEnds
	writeCommitted
	writeCommits
	runsItself
	stopsByHook
	stops
	hasStopped
	renewsTokens
	releasesExecutors // that were idle
	snapshotCommitted // of a table of Iceberg
)

// milestoneOf reads a message of a logger.
func milestoneOf(message string) milestone {
	switch {
	case strings.HasPrefix(message, "Registered executor "):
		return registers
	case jobBegin.MatchString(message):
		return jobBegins
	case jobDone.MatchString(message):
		return jobEnds
	case strings.Contains(message, committed):
		return writeCommitted
	case strings.HasPrefix(message, committing):
		return writeCommits
	case strings.HasPrefix(message, local):
		return runsItself
	case strings.HasPrefix(message, "Invoking stop() from shutdown hook"):
		return stopsByHook
	case strings.HasPrefix(message, "SparkContext is stopping"):
		return stops
	case strings.HasPrefix(message, "Successfully stopped SparkContext"):
		return hasStopped
	case strings.HasPrefix(message, "Scheduling renewal in "):
		return renewsTokens
	case strings.HasSuffix(message, released):
		return releasesExecutors
	case strings.HasPrefix(message, committedSnapshot):
		return snapshotCommitted
	default:
		return noMilestone
	}
}
