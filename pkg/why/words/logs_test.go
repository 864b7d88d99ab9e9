package words_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// meanings are all that a log may mean, filled, and what each says in part.
func meanings() map[string]logs.Meaning {
	signature := catalog.Signature{ID: "s", Says: "disk ${dir} is full", Certain: true}
	return map[string]logs.Meaning{
		"disk /scratch is full: IOException: no space on node-7": logs.Known{Signature: signature, Groups: map[string]string{"dir": "/scratch"},
			Quoted: []logs.Throwable{{Class: "java.io.IOException", Message: "no space on node-7"}}},
		"a disk is full: IOException":           logs.OfKind{Kind: logs.DiskFull},
		"a variable of the environment":         logs.VariableUnset{Name: "BUCKET"},
		"Client was not given a value":          logs.ValueMissing{Client: "Client"},
		"the job's code raised IOException":     logs.CodeRaised{},
		"the application failed with":           logs.Unexplained{},
		"IOException: broken at Load.scala:9":   logs.Consequence{},
		"Spark did not start: IOException":      logs.SparkNotStarted{By: logs.CodeRaised{}},
		"a job was given up":                    logs.Untold{Job: true, Then: logs.Finding{Meaning: logs.CodeRaised{}}},
		"the script numbers.py has the name":    logs.ScriptShadows{Module: "numbers", Script: "numbers.py"},
		"the Kubernetes API server cannot":      logs.APIUnreached{},
		"HTTP/2":                                logs.APIHungUp{HTTP2: true},
		"the JVM crashed (SIGSEGV) in libx.so":  logs.JVMCrashed{Signal: "SIGSEGV", Where: "libx.so"},
		"the Java heap of 9 MiB stayed full: 3": logs.HeapStaysFull{Heap: 9, Collections: 3},
		"2 executors were OOMKilled":            logs.ExecutorsLost{},
		"executors cannot fetch shuffle blocks": logs.ShuffleUnreached{},
		"executors cannot connect to":           logs.DriverUnreached{},
		`after it wrote "one" and "two"`:        logs.EndedItself{Wrote: []string{"one", "two"}},
		`its last words in the log are "bye"`:   logs.LastWords{Line: "bye"},
	}
}

// TestEachMeaningHasWords: of every type of package logs that is a Meaning, there are words, with what it holds and with nothing.
func TestEachMeaningHasWords(t *testing.T) {
	said := map[string]bool{}
	for part, meaning := range meanings() {
		kind := reflect.TypeOf(meaning)
		said[kind.Name()] = true
		zero := reflect.Zero(kind).Interface().(logs.Meaning)
		require.NotPanics(t, func() { words.Terms{}.Of(&cause.Cause{Detail: logs.Failure{Finding: logs.Finding{Meaning: zero}}}) }, kind.Name())
		f := logs.Failure{Finding: logs.Finding{Meaning: meaning, Strength: logs.Plausible, Frame: logs.Place{File: "Load.scala", Line: 9},
			Root: logs.Throwable{Class: "java.io.IOException", Message: "broken"}}}
		if _, lost := meaning.(logs.ExecutorsLost); lost {
			f.Lost = logs.Lost{Executors: []string{"1", "2"}, Reason: logs.OOMKilled}
		}
		require.Contains(t, words.Terms{}.Of(&cause.Cause{Detail: f}).Says, part, kind.Name())
		require.NotEmpty(t, meaning.Mechanism())
	}
	for _, name := range withMechanism(t) {
		require.True(t, said[name] || name == "Failure", "no words are tested for %s", name)
	}
}

// withMechanism are the types of package logs that have a method Mechanism.
func withMechanism(t *testing.T) (out []string) {
	t.Helper()
	packages, err := parser.ParseDir(token.NewFileSet(), "../logs", nil, 0) //nolint:staticcheck // one package, no build tags
	require.NoError(t, err)
	for _, file := range packages["logs"].Files {
		for _, decl := range file.Decls {
			if f, is := decl.(*ast.FuncDecl); is && f.Recv != nil && f.Name.Name == "Mechanism" {
				out = append(out, strings.TrimPrefix(fmt.Sprint(f.Recv.List[0].Type), "*"))
			}
		}
	}
	require.Greater(t, len(out), 15)
	return out
}

// TestEachKindAndReasonHasWords: none is left to its name.
func TestEachKindAndReasonHasWords(t *testing.T) {
	for _, kind := range []logs.Kind{logs.DiskFull, logs.QuotaExceeded, logs.AdmissionRefused, logs.PermissionMissing, logs.OutOfMemory,
		logs.NameUnresolved, logs.ConnectionFailed, logs.HandshakeFailed, logs.AccessRefused, logs.ClassMissing, logs.TooManyRequests,
		logs.ConnectionRefused, logs.FileMissing, logs.AskedForMissing, logs.RequestRefused, logs.NativeLibraryMissing, logs.VersionsMismatch,
		logs.SettingWrong} {
		c := cause.Cause{Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.OfKind{Kind: kind}}}}
		require.NotContains(t, words.Terms{}.Of(&c).Says, string(kind))
		require.NotEqual(t, cause.Unknown, kind.Class(), kind)
	}
	seen := map[string]bool{}
	for reason := logs.NoReason; reason <= logs.NoHeartbeat; reason++ {
		says := words.Lost(logs.Lost{Executors: []string{"7"}, Reason: reason, Code: -1})
		require.Contains(t, says, "executor 7 ")
		require.False(t, seen[says], says)
		seen[says] = true
	}
}

// TestWhatCameBeforeAndAfter: each part of a chain of failures is said once, in the order in which it happened.
func TestWhatCameBeforeAndAfter(t *testing.T) {
	root := logs.Throwable{Class: "a.BException", Message: "no"}
	f := logs.Failure{
		Finding: logs.Finding{Meaning: logs.CodeRaised{}, Strength: logs.OwnCode, Root: root, Frame: logs.Place{File: "X.scala", Line: 3},
			For:     logs.Throwable{Class: "a.CException", Message: "gone"},
			Earlier: &logs.Finding{Meaning: logs.Known{Signature: catalog.Signature{Says: "a disk is slow"}}}},
		In:        cause.DriverRole,
		Executor:  "2",
		Attempts:  logs.Attempts{Task: 5, Stage: 1, Times: 4},
		After:     logs.Aftermath{How: logs.FailedLater, With: logs.Throwable{Class: "a.DException", Message: "late"}},
		Endpoints: logs.Endpoints{Names: []string{"db:5432"}},
	}
	require.Equal(t, "a disk is slow; then the job's code raised BException: no; the application called that because of CException: gone; "+
		"after that the application failed with DException: late; the exception names db:5432 at X.scala:3 "+
		"(executor 2; task 5 of stage 1 failed 4 times)", words.Terms{}.Of(&cause.Cause{Detail: f}).Says)
}

// TestStageAndComplaint: how far a stage is, and what was survived.
func TestStageAndComplaint(t *testing.T) {
	require.Equal(t, "stage 4 (parquet at X.scala:9): 0 of 1 task finished",
		logs.Stage{ID: 4, At: "parquet at X.scala:9", Tasks: logs.Tasks{Of: 1}}.String())
	require.Equal(t, "line", words.Complaint(&logs.Complaint{Line: "line"}))
	require.Equal(t, "line: BException: no at f.py:2", words.Complaint(&logs.Complaint{Line: "line",
		Root: logs.Throwable{Class: "a.BException", Message: "no"}, Frame: logs.Place{File: "f.py", Line: 2}}))
}
