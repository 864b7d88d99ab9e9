package logs

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// Kind is what exceptions have in common whose message the catalogue does not know.
type Kind string

// The kinds.
const (
	DiskFull             Kind = "disk-full"
	QuotaExceeded        Kind = "quota-exceeded"
	AdmissionRefused     Kind = "admission-refused"
	PermissionMissing    Kind = "permission-missing" // of a service account
	OutOfMemory          Kind = "jvm-out-of-memory"
	NameUnresolved       Kind = "name-unresolved"
	ConnectionFailed     Kind = "connection-failed"
	HandshakeFailed      Kind = "handshake-failed"
	AccessRefused        Kind = "access-refused"
	ClassMissing         Kind = "class-missing" // or a module, or one of another version
	TooManyRequests      Kind = "too-many-requests"
	ConnectionRefused    Kind = "connection-refused" // the service was reached, and does not take connections of this kind
	FileMissing          Kind = "file-missing"
	AskedForMissing      Kind = "asked-for-missing" // a table, a topic, an object
	RequestRefused       Kind = "request-refused"
	NativeLibraryMissing Kind = "native-library-missing"
	VersionsMismatch     Kind = "versions-mismatch"
	SettingWrong         Kind = "setting-wrong" // or missing
)

// Class is the class of causes of a kind.
func (k Kind) Class() cause.Class {
	switch k {
	case DiskFull:
		return cause.Storage
	case QuotaExceeded:
		return cause.Quota
	case AdmissionRefused:
		return cause.Submission
	case PermissionMissing, AccessRefused:
		return cause.Credentials
	case OutOfMemory, ConnectionRefused, SettingWrong:
		return cause.Configuration
	case NameUnresolved, ConnectionFailed, HandshakeFailed, TooManyRequests:
		return cause.Network
	case ClassMissing, NativeLibraryMissing, VersionsMismatch:
		return cause.Dependency
	case FileMissing, AskedForMissing, RequestRefused:
		return cause.CodeFailed
	default:
		return cause.Unknown
	}
}
