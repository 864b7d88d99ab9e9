// Package images makes archives of container images out of files of this machine, for ctr to import. No image is downloaded.
package images

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Dir is where archives are kept, in the directory of a Builder.
const Dir = "images"

// Image says what an archive is made of.
type Image struct {
	Name   string // as pods name it, with its tag
	Layers []Layer
	Config Config
}

// Config is what a container is started with unless its pod says otherwise.
type Config struct {
	Entrypoint, Cmd, Env []string
	User, WorkingDir     string
}

// Layer is a list of files, which go over those of the layers before. Directories are made for files as they are needed.
type Layer []File

// File is one file, directory or symbolic link of an image.
type File struct {
	Path   string // in the image, without a slash at its beginning
	Source string // the file of this machine that it is a copy of
	Text   string // what is in it, if it has no source
	Link   string // what it points to, if it is a symbolic link
	Dir    bool
	Mode   int64 // permissions; 0 means those of the source, or 0644, or 0755 of a directory
	Owner  int   // user and group
}

// Archive writes an image into a directory and returns the archive's path. Its name says what it was made of: one that is there is used.
func Archive(dir string, image Image) (string, error) {
	key, err := image.key()
	if err != nil {
		return "", err
	}
	prefix := strings.NewReplacer("/", "_", ":", "_").Replace(image.Name) + "-"
	final := filepath.Join(dir, prefix+key+".tar")
	now := time.Now()
	if err := os.Chtimes(final, now, now); err == nil {
		return final, nil
	}
	built, err := image.build()
	if err != nil {
		return "", fmt.Errorf("making image %s: %w", image.Name, err)
	}
	tag, err := name.NewTag(image.Name, name.WeakValidation)
	if err != nil {
		return "", fmt.Errorf("making image %s: %w", image.Name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making a directory for images: %w", err)
	}
	// It appears by rename, so one that exists is complete.
	partial, err := os.CreateTemp(dir, ".making-")
	if err != nil {
		return "", fmt.Errorf("writing image %s: %w", image.Name, err)
	}
	defer os.RemoveAll(partial.Name())
	defer partial.Close()
	if err := tarball.Write(tag, built, partial); err != nil {
		return "", fmt.Errorf("writing image %s: %w", image.Name, err)
	}
	if err := os.Rename(partial.Name(), final); err != nil {
		return "", fmt.Errorf("keeping image %s: %w", image.Name, err)
	}
	return final, forget(dir, prefix, now.Add(-unused))
}

// unused is how long an archive is kept that nothing asks for.
const unused = 24 * time.Hour

// forget removes the archives of an image that were not asked for since then: each change of what is in it leaves one.
func forget(dir, prefix string, since time.Time) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("listing images: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !strings.HasPrefix(entry.Name(), prefix) || info.ModTime().After(since) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing an image that is not used: %w", err)
		}
	}
	return nil
}

// key is a hash of everything that the image is made of.
func (i Image) key() (string, error) {
	hash := sha256.New()
	if err := json.NewEncoder(hash).Encode(i); err != nil {
		return "", fmt.Errorf("hashing image %s: %w", i.Name, err)
	}
	for _, layer := range i.Layers {
		for _, file := range layer {
			if file.Source == "" {
				continue
			}
			if err := hashFile(hash, file.Source); err != nil {
				return "", fmt.Errorf("hashing image %s: %w", i.Name, err)
			}
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:6]), nil
}

func hashFile(hash io.Writer, path string) error {
	source, err := os.Open(path)
	if err != nil {
		return err
	}
	defer source.Close()
	_, err = io.Copy(hash, source)
	return err
}

func (i Image) build() (v1.Image, error) {
	image := v1.Image(empty.Image)
	for _, files := range i.Layers {
		text, err := files.tar()
		if err != nil {
			return nil, err
		}
		if image, err = mutate.AppendLayers(image, static.NewLayer(text, types.DockerUncompressedLayer)); err != nil {
			return nil, err
		}
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", runtime.GOARCH
	config.Config = v1.Config{
		Entrypoint: i.Config.Entrypoint, Cmd: i.Config.Cmd, Env: i.Config.Env, User: i.Config.User, WorkingDir: i.Config.WorkingDir,
	}
	return mutate.ConfigFile(image, config)
}

// tar writes the files in their order, each directory once before what is in it.
func (l Layer) tar() ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	seen := map[string]bool{".": true}
	var parents func(string) error
	parents = func(dir string) error {
		if seen[dir] {
			return nil
		}
		if err := parents(path.Dir(dir)); err != nil {
			return err
		}
		seen[dir] = true
		return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: time.Unix(0, 0)})
	}
	for _, file := range l {
		if err := parents(path.Dir(file.Path)); err != nil {
			return nil, err
		}
		if seen[file.Path] {
			continue
		}
		seen[file.Path] = true
		if err := file.write(w); err != nil {
			return nil, fmt.Errorf("adding %s: %w", file.Path, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (f File) write(w *tar.Writer) error {
	header := &tar.Header{Name: f.Path, Mode: f.Mode, Uid: f.Owner, Gid: f.Owner, ModTime: time.Unix(0, 0)}
	text := []byte(f.Text)
	switch {
	case f.Dir:
		header.Typeflag, header.Name = tar.TypeDir, f.Path+"/"
		header.Mode = orElse(f.Mode, 0o755)
	case f.Link != "":
		header.Typeflag = tar.TypeSymlink
		header.Linkname = f.Link
		header.Mode = 0o777
	default:
		header.Typeflag, header.Mode = tar.TypeReg, orElse(f.Mode, 0o644)
		if f.Source != "" {
			info, err := os.Stat(f.Source)
			if err != nil {
				return err
			}
			if text, err = os.ReadFile(f.Source); err != nil {
				return err
			}
			header.Mode = orElse(f.Mode, int64(info.Mode().Perm()))
		}
		header.Size = int64(len(text))
	}
	if err := w.WriteHeader(header); err != nil {
		return err
	}
	if header.Typeflag != tar.TypeReg {
		return nil
	}
	_, err := w.Write(text)
	return err
}

func orElse(mode, fallback int64) int64 {
	if mode == 0 {
		return fallback
	}
	return mode
}
