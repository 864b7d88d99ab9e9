// Package durabletest has disks that fail.
package durabletest

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
)

// Full is a disk that has room for some bytes beyond what its files hold, and says so with an error of its own: when something is
// written, or only when that must be on disk, as with quotas and network file systems.
type Full struct {
	Room     int64
	Err      error
	Late     bool  // what does not fit is noticed by Sync
	Refuses  error // of a directory that takes no new file
	Mounted  error // of a rename over a mount point
	overflow bool
}

// OpenFile opens a file of the machine whose writes are counted.
func (d *Full) OpenFile(name string, flag int, mode fs.FileMode) (durable.File, error) {
	if flag&os.O_EXCL != 0 && d.Refuses != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: d.Refuses}
	}
	f, err := os.OpenFile(name, flag, mode) // #nosec G304 -- of tests
	return &file{f, d}, err
}

// Rename renames a file of the machine.
func (d *Full) Rename(from, to string) error {
	if d.Mounted != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: d.Mounted}
	}
	return os.Rename(from, to)
}

type file struct {
	*os.File
	disk *Full
}

func (f *file) size() int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

func (f *file) Write(p []byte) (int, error) {
	n, err := f.WriteAt(p, f.size())
	return n, err
}

func (f *file) WriteAt(p []byte, at int64) (int, error) {
	grows := max(at+int64(len(p))-f.size(), 0)
	if grows <= f.disk.Room {
		f.disk.Room -= grows
		return f.File.WriteAt(p, at)
	}
	fits := int64(len(p)) - (grows - f.disk.Room)
	f.disk.Room, f.disk.overflow = 0, true
	n, err := f.File.WriteAt(p[:fits], at)
	if f.disk.Late {
		return len(p), err
	}
	return n, errors.Join(err, f.disk.Err)
}

func (f *file) Truncate(size int64) error {
	f.disk.Room += max(f.size()-size, 0)
	return f.File.Truncate(size)
}

func (f *file) Sync() error {
	if f.disk.overflow && f.disk.Late {
		f.disk.overflow = false
		return f.disk.Err
	}
	return nil
}

// Errors are those that say that what was written is not there.
func Errors() []error { return []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO} }
