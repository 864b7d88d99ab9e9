package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"

	spdxjson "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx"
	"github.com/spdx/tools-golang/spdx/v2/common"
)

// writeBill writes the bill of materials of a program: what the Go linker recorded in it, and the licences of that.
func writeBill(ctx context.Context, path, output string) error {
	program, err := os.ReadFile(path) // #nosec G304 -- named by the caller
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	modules, err := recorded(ctx, info)
	if err != nil {
		return err
	}
	doc, err := bill(filepath.Base(path), sha256.Sum256(program), info, modules)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := spdxjson.Write(doc, &b, spdxjson.Indent("  ")); err != nil {
		return err
	}
	return os.WriteFile(output, b.Bytes(), 0o644) // #nosec G306 -- for all users to read
}

// recorded returns the modules that a program names, with their licences from the module cache.
func recorded(ctx context.Context, info *debug.BuildInfo) ([]module, error) {
	args := []string{"-m", "-json=Path,Version,Dir"}
	want := map[string]string{}
	for _, d := range info.Deps {
		want[d.Path] = d.Version
		args = append(args, d.Path)
	}
	out, err := goList(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	modules := []module{}
	for {
		var m module
		err := out.Decode(&m)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading go list: %w", err)
		}
		if want[m.Path] != m.Version {
			return nil, fmt.Errorf("the program contains %s %s, go.mod says %s: it was not built from this tree", m.Path, want[m.Path], m.Version)
		}
		modules = append(modules, m)
	}
	modules = append(modules, module{Path: "std", Version: info.GoVersion})
	return modules, license(ctx, modules)
}

// bill is a function of its arguments alone, so that the same program has the same bill: its time is that of the commit.
func bill(name string, sum [sha256.Size]byte, info *debug.BuildInfo, modules []module) (*spdx.Document, error) {
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	if setting["vcs.time"] == "" || setting["vcs.revision"] == "" {
		return nil, errors.New("the program does not name its commit: build it in a git clone with -buildvcs=true")
	}
	digest := fmt.Sprintf("%x", sum)
	main := &spdx.Package{
		PackageName: name, PackageSPDXIdentifier: "program", PackageVersion: setting["vcs.revision"],
		PackageDownloadLocation: "git+https://" + info.Main.Path + "@" + setting["vcs.revision"],
		PackageChecksums:        []spdx.Checksum{{Algorithm: spdx.SHA256, Value: digest}},
		PackageLicenseConcluded: "Apache-2.0", PackageLicenseDeclared: "Apache-2.0", PackageCopyrightText: "NOASSERTION",
		PackageComment:        fmt.Sprintf("built for %s/%s by %s", setting["GOOS"], setting["GOARCH"], info.GoVersion),
		PrimaryPackagePurpose: "APPLICATION",
	}
	doc := &spdx.Document{
		SPDXVersion: spdx.Version, DataLicense: spdx.DataLicense, SPDXIdentifier: "DOCUMENT",
		DocumentName:      name,
		DocumentNamespace: "https://" + info.Main.Path + "/sbom/" + digest,
		CreationInfo: &spdx.CreationInfo{Created: setting["vcs.time"],
			Creators: []spdx.Creator{{CreatorType: "Tool", Creator: "kubectl-sparkdoctor-release"}}},
		Packages:      []*spdx.Package{main},
		Relationships: []*spdx.Relationship{relation("DOCUMENT", common.TypeRelationshipDescribe, main.PackageSPDXIdentifier)},
	}
	for _, m := range modules {
		p := m.spdx()
		doc.Packages = append(doc.Packages, p)
		doc.Relationships = append(doc.Relationships, relation(main.PackageSPDXIdentifier, common.TypeRelationshipContains,
			p.PackageSPDXIdentifier))
	}
	return doc, nil
}

// notInID matches what an SPDX identifier may not have (SPDX 2.3, 3.2).
var notInID = regexp.MustCompile(`[^A-Za-z0-9.-]`)

func (m module) spdx() *spdx.Package {
	return &spdx.Package{
		PackageName: m.Path, PackageVersion: m.Version,
		PackageSPDXIdentifier:   spdx.ElementID("module-" + notInID.ReplaceAllString(m.Path, "-")),
		PackageDownloadLocation: "NOASSERTION",
		PackageLicenseConcluded: m.expression(), PackageLicenseDeclared: m.expression(), PackageCopyrightText: "NOASSERTION",
		PackageExternalReferences: []*spdx.PackageExternalReference{{
			Category: common.CategoryPackageManager, RefType: common.TypePackageManagerPURL, Locator: m.purl(),
		}},
		PrimaryPackagePurpose: "LIBRARY",
	}
}

// purl is the package URL; the standard library's is golang/stdlib, as vulnerability databases name it.
func (m module) purl() string {
	if m.Path == "std" {
		return "pkg:golang/stdlib@" + m.Version[len("go"):]
	}
	return "pkg:golang/" + m.Path + "@" + m.Version
}

func relation(from spdx.ElementID, kind string, to spdx.ElementID) *spdx.Relationship {
	return &spdx.Relationship{RefA: common.MakeDocElementID("", string(from)), Relationship: kind,
		RefB: common.MakeDocElementID("", string(to))}
}
