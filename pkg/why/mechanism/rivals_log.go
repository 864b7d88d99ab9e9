package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// takenAway: a driver that something else ended did not end of what its log complains of. One that ended by itself has an exit code of its
// own choice.
func takenAway() Rival {
	return Rival{Rival: cause.Rival{ID: "taken-away", Is: "the driver was ended from outside, after what its log complains of"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			if ofSubmission(c) {
				return cause.RuledOut // there is no driver yet
			}
			if v.Driver == nil {
				end := v.Recorded.Driver
				if end == nil {
					return unrecordedEnd(v, c)
				}
				return ifSeen(end.Reason == snapshot.OOMKilled || bySignal(end.Code))
			}
			t, s := app.Termination(v.Driver), v.Driver.Status
			d := condition(v.Driver, corev1.DisruptionTarget)
			switch {
			case s.Reason != "" && s.Phase == corev1.PodFailed, isTrue(d):
				return cause.Present
			case t != nil:
				return ifSeen(bySignal(int(t.ExitCode)) || t.Reason == snapshot.OOMKilled)
			case s.Phase == corev1.PodFailed || s.Phase == corev1.PodUnknown:
				return cause.NotSeen
			default:
				return ifSeen(v.Driver.DeletionTimestamp != nil)
			}
		}}
}

// bySignal reports whether an exit code is that of a signal: 128 and its number, of which there are 64. A program may choose 255.
func bySignal(code int) bool { return code > 128 && code <= 128+64 }

// unrecordedEnd is of a driver whose end was not recorded: only its log tells whether it exited by itself.
func unrecordedEnd(v *View, c *cause.Cause) cause.Standing {
	for i := range v.Logs {
		l := &v.Logs[i]
		if l.Pod != c.Subject.Name || l.Previous || l.Container != c.Container {
			continue
		}
		if end := logs.Digest(l, logs.ClockOf(v.Evidence, l)); end.Uncaught && !end.Signaled {
			return cause.RuledOut
		}
	}
	return cause.NotSeen
}

// survivedSince: work that came to an end after a complaint got over it.
func survivedSince() Rival {
	return Rival{Rival: cause.Rival{ID: "survived", Is: "work that was done later got over it"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			w, last := &v.Work, lastProof(c)
			if !w.Seen || ofSubmission(c) || last.IsZero() {
				return cause.RuledOut // of a log that is read, what precedes the last job that began is left out (logs, story.tell)
			}
			last = last.Add(clockSkew) // lines of several threads are out of order
			tasksSince := v.DriverRuns() && w.TasksAt.After(last) && c.Trust == cause.ByDriverLog && v.Progresses()
			return ifSeen(tasksSince || w.WroteAt.After(last))
		}}
}

// identityUnreached: a client finds no credentials also where the service that gives them was not reached.
func identityUnreached() Rival {
	return Rival{Rival: cause.Rival{ID: "identity-unreached", Is: "the service that gives an identity was not reached"},
		Stands: func(_ *View, c *cause.Cause) cause.Standing {
			f, _ := c.Detail.(logs.Failure)
			return ifSeen(f.Identity.Host != "" && c.Class == cause.Credentials)
		}}
}

// otherEnds: pods of executors that are there tell how they ended.
func otherEnds() Rival {
	return Rival{Rival: cause.Rival{ID: "ended-otherwise", Is: "pods of these executors tell of another end"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			f, _ := c.Detail.(logs.Failure)
			logSaysOOM := f.Lost.Reason == logs.OOMKilled
			for _, e := range v.Ends {
				if !slices.Contains(c.Executors, executorID(v, e.Pod.Name)) {
					continue
				}
				podSaysOOM := e.Why.Kind == OOMKilled
				logAlone := logSaysOOM && !podSaysOOM && e.Killed()
				podAlone := podSaysOOM && !logSaysOOM && f.Lost.Reason != logs.Killed
				if logAlone || podAlone {
					return cause.Present
				}
			}
			return cause.RuledOut
		}}
}

// packagesChanged: the pod ran with the libraries that the spec named then. Those that a log names it had.
func packagesChanged() Rival {
	changed := specChangedSince()
	stands := changed.Stands
	changed.Stands = func(v *View, c *cause.Cause) cause.Standing {
		if d, _ := c.Detail.(LibraryMisfit); d.From == ByLog && v.Application == nil {
			return cause.RuledOut
		}
		return stands(v, c)
	}
	return changed
}

// ofSubmission reports whether a log is what spark-submit printed.
func ofSubmission(c *cause.Cause) bool { return c.Role == cause.SubmissionRole }

// trustsAnother: whose certificate is not trusted, and by which authorities, does not stand in those words. That of the API server comes
// with the token of the pod, which was seen.
func trustsAnother() Rival {
	return Rival{Rival: cause.Rival{ID: "trusts-another", Is: "it is not said whose certificate that is, nor what the client trusts"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			f, _ := c.Detail.(logs.Failure)
			if ofClient(&f) && v.Driver != nil && c.Subject.Name == v.Driver.Name {
				return cause.RuledOut
			}
			return cause.NotSeen
		}}
}

// ofSignature is what a failure needs that the catalogue knows.
func ofSignature(f logs.Failure) Needs {
	switch known, is := f.Meaning.(logs.Known); {
	case is && known.Signature.File != "":
		return Needs{Guess: "a team's own signature is likely at most"}
	case is && known.Signature.ID == "tls-trust":
		return Needs{Rivals: []Rival{takenAway(), survivedSince(), notMutated(), trustsAnother()}, Because: ofLog}
	case is && known.Signature.ID == "rbac-denied": // the API server names whom it refused
		return Needs{Rivals: []Rival{takenAway(), survivedSince()}, Because: ofLog}
	}
	return Needs{Rivals: []Rival{takenAway(), survivedSince(), identityUnreached(), notMutated()}, Because: ofLog}
}

const ofLog = "Spark or the process itself said what it gave up at: an exception that nothing caught, or words that mean nothing " +
	"else; what was tried again, handled or complained of before the last job began is left out before"

func needsOfLogs() map[cause.ID]Needs {
	says := Needs{Rivals: []Rival{takenAway(), survivedSince(), identityUnreached(), notMutated()}, Because: ofLog}
	guess := func(why string) Needs { return Needs{Guess: why} }
	explains := Needs{Explains: true, Because: "the process said what it lacks, and the pod or the log was seen to lead to just that"}
	return map[cause.ID]Needs{
		"code-raised": says, "variable-unset": says, "value-missing": says, "spark-not-started": says, "script-shadows": says,
		"state-misfit": {Explains: true, Because: "Spark compares the two schemas itself, and names both"},
		"library-misfit": {Explains: true, Rivals: []Rival{packagesChanged()},
			Because: "a class is missing, and the versions are not of one release"},
		"built-for-other": explains, "federation-missing": explains, "label-required": explains, "connect-unpackaged": explains,
		"trust-refused": explains, "account-denied": explains, "java-misfit": explains,
		"main-jar-missing": explains, "celeborn-disks": explains, "whole-result": explains, "huge-pages-short": explains,
		"bucket-missing": explains, "windows-script": explains, "other-writer": explains,
		"identity-one-sided": explains, "spark-moved": explains,
		"token-unmounted": explains, "locale-unfit": explains,
		"store-refused": explains, "action-refused": explains, "jar-too-late": explains, "lacks-agent": explains,
		"vended-expired":      guess("who gave the token does not stand in what the store says"),
		"connections-used-up": guess("others may have taken the connections"),
		"unquoted-setting": {Rivals: []Rival{takenAway(), survivedSince()},
			Because: "bash said what it cannot read of its command, in which the setting was seen to stand without quotes"},
		"module-one-sided": explains, "archive-unnamed": explains, "proxy-asked": explains, "nameservice-unset": explains,
		"mounted-noexec": explains, "submitter-nameless": explains,
		"service-elsewhere": guess("Services that were not read may be there"),
		"server-not-ready":  explains, "port-unserved": explains, "unresolved-before": explains, "bucket-in-host": explains,
		"mount-one-sided": explains,
		"token-of-secret": explains, "collected": guess("that a result was brought there does not say how large it was"),
		"executors-lost": {Rivals: []Rival{takenAway(), survivedSince(), otherEnds()},
			Because: "Spark gave the job up for them, and its driver was told why by the API server"},
		"quota-keeps-slots": {Rivals: []Rival{takenAway(), survivedSince()},
			Because: "the API server refused the executors by the name of the quota, and Spark gave the stage up for the slots"},
		"token-unrenewed": {Rivals: []Rival{takenAway(), survivedSince()}, Because: "Spark itself said that it got no token, and when it " +
			"tries again"},
		"unexplained": guess("of this exception nothing is known"), "consequence": guess("it follows from something else"),
		"untold": guess("why is not in what was read"), "api-unreached": guess("what is between a pod and the API server is not in the API"),
		"api-hung-up": guess("why the other side ended a connection is not in the log"), "jvm-crash": guess("native code does not say why"),
		"heap-stays-full":   guess("that a heap is full does not say that it ended the process"),
		"shuffle-unreached": guess("what is between two pods is not in the API"),
		"driver-unreached":  guess("what is between two pods is not in the API"),
		"ended-itself":      guess("why a program ends itself is in its own words"), "last-words": guess("they prove nothing"),
	}
}
