package durable

import (
	"errors"
	"fmt"
	"os"
)

// Log is a file that grows by whole pieces: each is on disk once Append returns, or not in the file.
type Log struct {
	file   File
	size   int64 // of the pieces that are whole
	plain  bool  // a pipe or a device: what is written there cannot be taken back
	broken error
}

// CreateLog makes a private file in a directory, with a name that no other has.
func (w Writer) CreateLog(dir, prefix, suffix string) (*Log, error) {
	f, err := w.create(dir, prefix, suffix, 0o600)
	if err != nil {
		return nil, err
	}
	w.directoryOnDisk(dir)
	return &Log{file: f}, nil
}

// Takes returns why a directory takes no new file.
func (w Writer) Takes(dir string) error {
	f, err := w.create(dir, ".probe-", "", 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Append adds a piece to a file, which is made if it does not exist.
func (w Writer) Append(path string, piece []byte) error {
	f, err := w.disk().OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	l := &Log{file: f}
	info, err := f.Stat()
	if err == nil {
		l.size, l.plain = info.Size(), !info.Mode().IsRegular()
		err = l.Append(piece)
	}
	return errors.Join(err, l.Close())
}

// Name is the path of the file.
func (l *Log) Name() string { return l.file.Name() }

// Append adds a piece. After an error the file ends where it ended before; if even that fails, nothing more is added.
func (l *Log) Append(piece []byte) error {
	if l.broken != nil {
		return l.broken
	}
	if l.plain {
		_, err := l.file.Write(piece)
		return err
	}
	_, err := l.file.WriteAt(piece, l.size)
	if err == nil {
		err = onDisk(l.file)
	}
	if err == nil {
		l.size += int64(len(piece))
		return nil
	}
	if back := errors.Join(l.file.Truncate(l.size), onDisk(l.file)); back != nil {
		l.broken = fmt.Errorf("%w, and what was written of it could not be removed: %w", err, back)
		return l.broken
	}
	return err
}

// Close ends the file.
func (l *Log) Close() error { return l.file.Close() }

// Discard closes the file and removes it.
func (l *Log) Discard() error { return errors.Join(l.file.Close(), os.Remove(l.file.Name())) }
