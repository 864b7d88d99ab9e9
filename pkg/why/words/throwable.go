package words

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// mostSaid is how many bytes of an exception stand within a sentence.
const mostSaid = 240

// throwable is an exception within a sentence: its class without the package, and what it says.
func throwable(t logs.Throwable) string {
	class, message := parts(t)
	switch {
	case class == "":
		return logs.Shortened(message, mostSaid)
	case message == "":
		return class
	default:
		return logs.Shortened(class+": "+message, mostSaid)
	}
}

// parts are the class, without its package, and the message. The class is empty where the message begins with it.
func parts(t logs.Throwable) (class, message string) {
	class, message = t.Class, gist(oneLine(t.Message))
	if !t.Python || strings.HasPrefix(class, "pyspark.") {
		class = withoutPackage(class)
	}
	if strings.HasPrefix(message, class) {
		class = ""
	}
	return class, message
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func withoutPackage(class string) string { return class[strings.LastIndexByte(class, '.')+1:] }

// gist leaves out what the client of Kubernetes puts around the answer of the API server (kubernetes-client-api/src/main/java/io/fabric8/
// kubernetes/client/dsl/internal/OperationSupport.java@v6.7.2), which guesses at a revoked account whatever was refused.
func gist(message string) string {
	for _, before := range []string{"Service account may have been revoked. ", ". Message: "} {
		if _, after, found := strings.Cut(message, before); found && strings.HasPrefix(message, "Failure executing: ") {
			message = after
			break
		}
	}
	message, _, _ = strings.Cut(message, " Received status: Status(")
	message, _, _ = strings.Cut(message, " Serialization trace:") // where Kryo was when something else failed (KryoException.java, kryo@4.0.2)
	return message
}

// beginning is as much of a message as tells that it was said.
func beginning(message string) string { return logs.Cut(gist(message), mostSaid/4) }

// throwableName matches the full name of an exception before what it says.
var throwableName = lazyregexp.New(`^(?:[a-zA-Z_]\w*\.)+[A-Z][\w$]*(?:Exception|Error|Failure|Throwable)(?:\([\w.$]+\))?(?:: ` +
	`|:?$|\(message:)`)

// namesMore reports whether an exception names something that was not said: a bucket, a column, a host.
func namesMore(spoken quotes, t logs.Throwable) bool {
	message := oneLine(t.Message)
	if begin := beginning(message); begin != "" && spoken.holds(begin) {
		return false // it was said in these words
	}
	parts := func(r rune) bool { return strings.ContainsRune(" ,;()[]{}'\"`", r) }
	for _, word := range strings.FieldsFunc(gist(message), parts) {
		word = strings.TrimRight(word, ".:")
		name := strings.ContainsAny(word, "0123456789/_.:@=") && !throwableName.MatchString(word+":") && !strings.HasSuffix(word, "Exception")
		if name && !spoken.holds(word) {
			return true
		}
	}
	return false
}
