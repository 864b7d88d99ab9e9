package images

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/debian"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/spark-driver/job"
)

// SparkName is the image of drivers and executors; NewApplication of package controlplane names it, too.
const SparkName = "docker.io/library/spark:3.5.5"

// javaHome is where Debian's default Java is, by a link that default-jre-headless brings.
const javaHome = "/usr/lib/jvm/default-java"

// Spark is an image of drivers and executors: Debian's Java and Python, and spark-driver in the place of Spark's entry point.
func Spark(ctx context.Context, b *build.Builder) (Image, error) {
	if err := debian.Install(ctx, b.Log, "default-jdk-headless"); err != nil { // to compile with; it is not in the image
		return Image{}, err
	}
	runtimes, err := packages(ctx, b, "default-jre-headless", "python3")
	if err != nil {
		return Image{}, err
	}
	runtimes = append(runtimes, File{Path: "usr/bin/java", Link: javaHome + "/bin/java"})
	base, err := shell(ctx, b)
	if err != nil {
		return Image{}, err
	}
	programs, err := jobs(ctx, b)
	if err != nil {
		return Image{}, err
	}
	driver, err := local(ctx, b, "spark-driver")
	if err != nil {
		return Image{}, err
	}
	programs = append(programs, File{Path: "opt/entrypoint", Source: driver, Mode: 0o755})
	return Image{
		Name: SparkName,
		// Programs of Debian's packages go over those of the shell.
		Layers: []Layer{base, runtimes, programs},
		Config: Config{
			Entrypoint: []string{"/opt/entrypoint"}, Env: []string{searchPath, "JAVA_HOME=" + javaHome, "SPARK_HOME=/opt/spark"},
			User: strconv.Itoa(sparkUser), WorkingDir: "/opt/spark/work-dir",
		},
	}, nil
}

// jobs are what drivers and executors run: compiled for the JVM, as they are for Python.
func jobs(ctx context.Context, b *build.Builder) (Layer, error) {
	hash := sha256.New()
	var layer Layer
	err := fs.WalkDir(job.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(job.Files, name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".java") {
			hash.Write(text)
			return nil
		}
		layer = append(layer, File{Path: "opt/spark/work-dir/" + name, Text: string(text)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the programs of jobs: %w", err)
	}
	classes := filepath.Join(b.Dir, Dir, "programs", "job-"+hex.EncodeToString(hash.Sum(nil)[:6]))
	if err := compile(ctx, classes); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(classes, "*.class"))
	if err != nil {
		return nil, fmt.Errorf("listing compiled jobs: %w", err)
	}
	for _, file := range files {
		layer = append(layer, File{Path: "opt/spark/jars/" + filepath.Base(file), Source: file, Mode: 0o644})
	}
	return layer, nil
}

// compile compiles the Java programs into a directory that is not there yet.
func compile(ctx context.Context, classes string) error {
	if _, err := os.Stat(classes); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(classes), 0o755); err != nil {
		return fmt.Errorf("making a directory for compiled jobs: %w", err)
	}
	work, err := os.MkdirTemp(filepath.Dir(classes), ".compiling-")
	if err != nil {
		return fmt.Errorf("making a directory to compile in: %w", err)
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(filepath.Join(work, "source"), job.Files); err != nil {
		return fmt.Errorf("writing Java programs: %w", err)
	}
	sources, err := filepath.Glob(filepath.Join(work, "source", "*.java"))
	if err != nil {
		return fmt.Errorf("listing Java programs: %w", err)
	}
	out, err := exec.CommandContext(ctx, javaHome+"/bin/javac",
		append([]string{"-d", filepath.Join(work, "out")}, sources...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("compiling Java programs: %w\n%s", err, out)
	}
	if err := os.Rename(filepath.Join(work, "out"), classes); err != nil {
		return fmt.Errorf("keeping compiled Java programs: %w", err)
	}
	return nil
}
