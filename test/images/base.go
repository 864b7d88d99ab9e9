package images

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/debian"
)

// sparkUser is the user of Spark's image and of the operator's (Dockerfile@v2.5.1: SPARK_UID).
const sparkUser = 185

// path is where Spark's image looks for programs.
const searchPath = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// users are those of Spark's image, and its directories.
func users() Layer {
	return Layer{
		{Path: "etc/passwd", Text: "root:x:0:0:root:/root:/bin/sh\nspark:x:185:185::/home/spark:/bin/sh\n"},
		{Path: "etc/group", Text: "root:x:0:\nspark:x:185:\n"},
		{Path: "etc/nsswitch.conf", Text: "passwd: files\ngroup: files\nhosts: files dns\n"},
		{Path: "tmp", Dir: true, Mode: 0o1777},
		{Path: "home/spark", Dir: true, Owner: sparkUser},
		{Path: "opt/spark/work-dir", Dir: true, Mode: 0o775, Owner: sparkUser},
		{Path: "var/data", Dir: true, Mode: 0o1777},
	}
}

// shell is what a container needs to be looked into, and for commands of a line.
func shell(ctx context.Context, b *build.Builder) (Layer, error) {
	if err := debian.Install(ctx, b.Log, "busybox-static"); err != nil {
		return nil, err
	}
	program, err := exec.LookPath("busybox")
	if err != nil {
		return nil, fmt.Errorf("looking for busybox: %w", err)
	}
	list, err := exec.CommandContext(ctx, program, "--list").Output()
	if err != nil {
		return nil, fmt.Errorf("listing what busybox does: %w", err)
	}
	layer := merged()
	layer = append(layer, File{Path: "usr/bin/busybox", Source: program, Mode: 0o755})
	for name := range strings.FieldsSeq(string(list)) {
		layer = append(layer, File{Path: "usr/bin/" + name, Link: "/usr/bin/busybox"})
	}
	return append(layer, users()...), nil
}

// merged links the directories that Debian has moved into /usr.
func merged() Layer {
	var layer Layer
	for _, name := range []string{"bin", "sbin", "lib", "lib64"} {
		layer = append(layer, File{Path: name, Link: "usr/" + name})
	}
	return layer
}

// packages are the files of installed packages and of all that these depend on.
func packages(ctx context.Context, b *build.Builder, names ...string) (Layer, error) {
	if err := debian.Install(ctx, b.Log, names...); err != nil {
		return nil, err
	}
	all, err := debian.Closure(ctx, names...)
	if err != nil {
		return nil, err
	}
	files, err := debian.Files(ctx, all...)
	if err != nil {
		return nil, err
	}
	layer := merged()
	for _, path := range files {
		// dpkg knows some files by names below /lib that are below /usr/lib.
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return nil, fmt.Errorf("finding %s: %w", path, err)
		}
		file := File{Path: strings.TrimPrefix(filepath.Join(dir, filepath.Base(path)), "/"), Source: path}
		info, err := os.Lstat(path)
		if err != nil {
			return nil, fmt.Errorf("finding %s: %w", path, err)
		}
		if info.Mode()&os.ModeSymlink != 0 {
			if file.Link, err = os.Readlink(path); err != nil {
				return nil, fmt.Errorf("reading link %s: %w", path, err)
			}
			file.Source = ""
		}
		layer = append(layer, file)
	}
	return layer, nil
}

// local builds a program of this module for an image.
func local(ctx context.Context, b *build.Builder, name string) (string, error) {
	program := filepath.Join(b.Dir, Dir, "programs", name)
	return program, b.Local(ctx, "github.com/sparkdoctor/kubectl-sparkdoctor/test/"+name, program)
}
