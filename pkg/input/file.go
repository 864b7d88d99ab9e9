package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/await"
)

// Open opens a regular file or a pipe, and nothing else: a device may have no end. Reads give up when the context ends, and so does
// opening it: a FIFO is not open before it has a writer (fifo(7)).
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, plainly(path, err)
	case !info.Mode().IsRegular() && info.Mode()&fs.ModeNamedPipe == 0:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("is %s, not a file", kindOf(info.Mode()))}
	}
	f, err := await.Open(ctx, path)
	return f, plainly(path, err)
}

// plainly is an error about a path without the name of the system call.
func plainly(path string, err error) error {
	var of *fs.PathError
	if !errors.As(err, &of) {
		return err
	}
	return fmt.Errorf("%s: %w", path, of.Err)
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	default:
		return "something else"
	}
}

// ReadFile reads a whole file of at most so many bytes, until the context ends. With stdin, "-" is that.
func ReadFile(ctx context.Context, path string, stdin io.Reader, most int64) ([]byte, error) {
	from := io.NopCloser(await.Reader(ctx, stdin))
	if path != "-" || stdin == nil {
		var err error
		if from, err = Open(ctx, path); err != nil {
			return nil, err
		}
	}
	defer from.Close() //nolint:errcheck // read only
	text, err := ReadAll(from, most)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// ReadAll reads at most so many bytes.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("%w: more than %s", ErrTooLarge, bytes(most))
	}
	return text, err
}
