package durable

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Options say how a file is replaced.
type Options struct {
	Mode    fs.FileMode  // of a new file, less the umask; one that is replaced keeps its own
	Private bool         // 0600, whatever the mode of the file before
	Ready   func() error // asked when the content is on disk; an error leaves the file as it was
}

// Replace writes a file under another name and renames it, so that readers see the old content or the new one, and an error leaves the
// old one. What is not a regular file, or stands where the directory takes no other file, is written in place.
func (w Writer) Replace(path string, o Options, write func(io.Writer) error) error {
	if o.Ready == nil {
		o.Ready = func() error { return nil }
	}
	before := fs.FileMode(0) // the mode to keep
	switch info, err := os.Lstat(path); {
	case err == nil && !info.Mode().IsRegular():
		return w.inPlace(path, o, write)
	case err == nil && !o.Private:
		before = info.Mode().Perm()
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if o.Private {
		o.Mode = 0o600
	}
	err := w.beside(path, before, o, write)
	var refused *refusedError
	if errors.As(err, &refused) {
		return w.inPlace(path, o, write)
	}
	return err
}

// ReplaceBytes replaces a file with what is at hand.
func (w Writer) ReplaceBytes(path string, mode fs.FileMode, content []byte) error {
	return w.Replace(path, Options{Mode: mode}, func(to io.Writer) error {
		_, err := to.Write(content)
		return err
	})
}

// refusedError says that a directory takes no new file, or does not let this one go.
type refusedError struct{ error }

func (e *refusedError) Unwrap() error { return e.error }

// refusing marks an error of a directory that takes no new file: it belongs to another user, is read-only, or the file is a mount point,
// as the bind mounts of containers are. Nothing else is a reason to write over a file: a full disk would leave neither the old one nor
// the new one.
func refusing(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EBUSY) {
		return &refusedError{err}
	}
	return err
}

func (w Writer) beside(path string, before fs.FileMode, o Options, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	f, err := w.create(dir, ".sparkdoctor-", ".tmp", cmp.Or(before, o.Mode))
	if err != nil {
		if of := (*fs.PathError)(nil); errors.As(err, &of) {
			err = &fs.PathError{Op: of.Op, Path: path, Err: of.Err} // the user knows no other name
		}
		return refusing(err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if before != 0 {
		_ = f.Chmod(before) // past the umask; not every file system has modes
	}
	if err = write(f); err != nil {
		return err
	}
	if err = errors.Join(onDisk(f), f.Close()); err != nil {
		return err
	}
	if err = o.Ready(); err != nil {
		return err
	}
	if err = w.disk().Rename(f.Name(), path); err != nil {
		return refusing(err)
	}
	w.directoryOnDisk(dir)
	return nil
}

// inPlace writes over a file. Of a regular one the part beyond its end comes first: only that needs room, so a full disk is noticed
// while the old content is whole.
func (w Writer) inPlace(path string, o Options, write func(io.Writer) error) (err error) {
	var content bytes.Buffer
	if err := write(&content); err != nil {
		return err
	}
	if err := o.Ready(); err != nil {
		return err
	}
	f, err := w.disk().OpenFile(path, os.O_WRONLY|os.O_CREATE, o.Mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		_, err = f.Write(content.Bytes())
		return err
	}
	old, text := info.Size(), content.Bytes()
	if int64(len(text)) > old {
		if _, err = f.WriteAt(text[old:], old); err == nil {
			err = onDisk(f)
		}
		if err != nil {
			return errors.Join(err, f.Truncate(old))
		}
	}
	if _, err = f.WriteAt(text[:min(int64(len(text)), old)], 0); err == nil {
		err = errors.Join(f.Truncate(int64(len(text))), onDisk(f))
	}
	if err != nil {
		return fmt.Errorf("%w, and %s is damaged: it could only be written in place", err, path)
	}
	return nil
}
