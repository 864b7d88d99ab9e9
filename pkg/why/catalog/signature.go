// Package catalog is the catalogue of what logs of Spark say when something is wrong: one entry a known message.
package catalog

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Signature is one known message and what it means.
type Signature struct {
	ID    string // "s3a-class-missing"
	Class cause.Class
	// Exception is a regular expression that the class of an exception matches as a whole ("java\.lang\.ClassNotFoundException"); empty:
	// the signature is about plain lines.
	Exception string
	// Message is a regular expression for the message of the exception, or for the plain line. Named groups are for Says and Next;
	// digits at the end of a name only tell alternatives apart: ${jar} is the group jar, jar2 or jar3.
	Message string
	// Says is what it means, one line, lower case; ${name} stands for a group. A group that not every message has stands in brackets, which
	// fall away with it: "a host name does not resolve[: ${host}]".
	Says string
	Next []command.Command // with ${name} in Text
	// Effect says that it always follows from something else, which stands elsewhere in the log or in the cluster.
	Effect bool
	// Certain says that the message proves the cause by itself. Else another could be behind it.
	Certain bool
	// Leftover says that an earlier failure of the same application may be behind it: what that should have written is missing, or half of
	// it is there.
	Leftover bool
	// Source is where the words of Message were read, parted by "; ": "OWNER/REPO PATH@TAG" (or @COMMIT) of the program that prints them,
	// or "OWNER/REPO issue NUMBER" that quotes them. "(compiled)" follows a path of HotSpot or CPython whose words were compared in the
	// binary of that release.
	Source string
}
