// Package catalog is the catalogue of what logs of Spark say when something is wrong: one signature a known message. Signatures are data:
// the built-in ones are the files of builtin.
package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// Signature is one known message and what it means, as a file of signatures has it.
type Signature struct {
	ID    string      `json:"id" yaml:"id"` // "s3a-class-missing"
	Class cause.Class `json:"class" yaml:"class"`
	// Certain says that the message proves the cause by itself. Else another could be behind it.
	Certain bool `json:"certain" yaml:"certain"`
	// Effect says that it always follows from something else, which stands elsewhere in the log or in the cluster.
	Effect bool `json:"effect" yaml:"effect"`
	// Leftover says that an earlier failure of the same application may be behind it: what that should have written is missing, or half of
	// it is there.
	Leftover bool `json:"leftover" yaml:"leftover"`
	// About is what it is about beside its class, for those that ask for it.
	About []Topic `json:"about" yaml:"about"`
	// On is whose failure it is, whichever log has it: cause.DriverRole or cause.ExecutorRole. Empty: of the process that wrote the log.
	On cause.Role `json:"on" yaml:"on"`
	// Exception is a regular expression that the class of an exception matches as a whole ("java\.lang\.ClassNotFoundException"); empty:
	// the signature is about plain lines.
	Exception string `json:"exception" yaml:"exception"`
	// Message is a regular expression for the message of the exception, or for the plain line. Named groups are for Says and Next;
	// digits at the end of a name only tell alternatives apart: ${jar} is the group jar, jar2 or jar3.
	Message string `json:"message" yaml:"message"`
	// Says is what it means, one line, lower case; ${name} stands for a group. A group that not every message has stands in brackets, which
	// fall away with it: "a host name does not resolve[: ${host}]".
	Says string   `json:"says" yaml:"says"`
	Next []string `json:"next" yaml:"next"` // what to do, with ${name} as in Says
	// Settings are those of Spark that it is about: what they are set to stands beside the answer.
	Settings []string `json:"settings" yaml:"settings"`
	// Package is the package of Python that Says names; empty: it names none.
	Package string `json:"package" yaml:"package"`
	// Change is what to set so that it does not happen again, all of it; empty: nothing of the spec would help, or no value is known.
	Change []Change `json:"change,omitempty" yaml:"change,omitempty"`
	// Source is where the words of Message were read: "OWNER/REPO PATH@TAG" (or @COMMIT) of the program that prints them, or "OWNER/REPO
	// issue NUMBER" that quotes them, as for a service that publishes no source. "(compiled)" follows a path of HotSpot or CPython whose
	// words were compared in the binary of that release.
	Source []string `json:"source" yaml:"source"`
	// Examples are lines of logs that it fits: a plain line, or an exception as "CLASS: MESSAGE".
	Examples []string `json:"examples" yaml:"examples"`
	// LookAlikes are lines that a hasty expression would fit as well, and that mean something else.
	LookAlikes []string `json:"lookAlikes" yaml:"lookAlikes"`
	// File is the name of the file that it was read from; empty: it is built in.
	File string `json:"-" yaml:"-"`
}

// Change is a field of the role whose failure a message is, or a setting of Spark, and the value that it should have: To, or nothing
// (Remove), or a multiple (Times) of what it is now or of what was needed (Needs).
type Change struct {
	Field   string  `json:"field,omitempty" yaml:"field,omitempty"`     // memory, memoryOverhead, cores, image
	Setting string  `json:"setting,omitempty" yaml:"setting,omitempty"` // of Spark, with ${name} as in Says
	Unset   string  `json:"unset,omitempty" yaml:"unset,omitempty"`     // what holds while the setting is not set
	Unit    string  `json:"unit,omitempty" yaml:"unit,omitempty"`       // of the setting: m (64m), MiB (64), s (64); for Times
	To      string  `json:"to,omitempty" yaml:"to,omitempty"`           // with ${name} as in Says
	Remove  bool    `json:"remove,omitempty" yaml:"remove,omitempty"`
	Times   float64 `json:"times,omitempty" yaml:"times,omitempty"`
	Needs   string  `json:"needs,omitempty" yaml:"needs,omitempty"` // ${name} of bytes, or of seconds where the unit is s
	Most    string  `json:"most,omitempty" yaml:"most,omitempty"`   // what the setting can be at most
}
