// Package durable writes files whole or not at all: on a full disk what was there stays. Every file that sparkdoctor leaves behind is
// written here.
package durable

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Disk opens and renames files. Tests give one that is full.
type Disk interface {
	OpenFile(name string, flag int, mode fs.FileMode) (File, error)
	Rename(from, to string) error
}

// File is what of an os.File is used.
type File interface {
	io.WriteCloser
	io.WriterAt
	Name() string
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Truncate(size int64) error
	Sync() error
}

// Writer writes files. The zero value writes those of this machine.
type Writer struct{ Disk Disk }

type machine struct{}

func (machine) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	return os.OpenFile(name, flag, mode) // #nosec G304 -- where the user wants it
}

func (machine) Rename(from, to string) error { return os.Rename(from, to) }

func (w Writer) disk() Disk {
	if w.Disk == nil {
		return machine{}
	}
	return w.Disk
}

// create makes a file that did not exist: a link that stands under its name is not followed, and a name that is taken is not used.
func (w Writer) create(dir, prefix, suffix string, mode fs.FileMode) (f File, err error) {
	for range 10 {
		name := prefix + strings.ToLower(rand.Text()[:8]) + suffix
		f, err = w.disk().OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, err
}

// onDisk waits until a file is on its disk, where the file system knows how to: quotas and network file systems may refuse a write only
// then.
func onDisk(f File) error {
	err := f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// directoryOnDisk does the same for a name, as far as the file system can.
func (w Writer) directoryOnDisk(dir string) {
	if d, err := w.disk().OpenFile(filepath.Clean(dir), os.O_RDONLY, 0); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
