package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	spdxjson "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden file")

func TestClassify(t *testing.T) {
	ours, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	l := classify("LICENSE", ours)
	require.Equal(t, []string{"Apache-2.0"}, l.ids)
	require.Empty(t, l.problem)
	require.Empty(t, classify("NOTICE.txt", []byte("Copyright 2019 go-openapi maintainers")).problem, "a NOTICE is passed on, not judged")
	require.Contains(t, classify("LICENSE", []byte("Ask me before you use this.")).problem, "only 0%")
	mpl := `This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.`
	require.Equal(t, "MPL-2.0 is not among the licences that are allowed", classify("COPYING", []byte(mpl)).problem)
	require.Contains(t, classify("LICENSE", append(bytes.Repeat([]byte("and moreover words of our own "), 300), ours...)).problem,
		"is the text of a known licence")
}

func TestInventoryFails(t *testing.T) {
	var b bytes.Buffer
	modules := []module{
		{Path: "example.com/bare", Version: "v1.0.0"},
		{Path: "example.com/odd", Version: "v1.0.0", licences: []licence{{file: "LICENSE", ids: []string{"GPL-3.0"},
			problem: "GPL-3.0 is not among the licences that are allowed"}}},
		{Path: "example.com/two", Version: "v1.0.0", licences: []licence{{ids: []string{"MIT"}}, {ids: []string{"BSD-3-Clause", "MIT"}}}},
	}
	err := inventory(&b, modules)
	require.EqualError(t, err, "example.com/bare has no licence that is known\nexample.com/odd: GPL-3.0 is not among the licences that are "+
		"allowed")
	require.Equal(t, ""+
		"NOASSERTION              example.com/bare v1.0.0\n"+
		"GPL-3.0                  example.com/odd v1.0.0\n"+
		"BSD-3-Clause AND MIT     example.com/two v1.0.0\n", b.String())
}

// TestShipped looks at the tree as it is: what is compiled in may be handed on.
func TestShipped(t *testing.T) {
	if testing.Short() {
		t.Skip("go list for three systems takes seconds")
	}
	modules, err := shipped(t.Context())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, inventory(&b, modules))
	require.Contains(t, b.String(), "Apache-2.0               github.com/spf13/cobra ")
	require.Contains(t, b.String(), "Apache-2.0               github.com/inconshreveable/mousetrap ", "it is only compiled in on Windows")
	require.Contains(t, b.String(), "BSD-3-Clause             std go1.")
	require.NotContains(t, b.String(), "testify", "tests are not shipped")
	require.Contains(t, b.String(), "MIT                      github.com/zricethezav/gitleaks/v8 v8.", "a part of its text is")
	text := notices(modules)
	require.Contains(t, string(text), "Copyright (c) 2019 Zachary Rice")
	require.Contains(t, string(text), "github.com/spf13/cobra v")
	require.Contains(t, string(text), "Copyright (c) 2013 Fatih Arslan")
	require.Equal(t, 1, bytes.Count(text, []byte("k8s.io/client-go v")))
}

func TestBill(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.0", Main: debug.Module{Path: "example.com/program"},
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}, {Key: "vcs.revision", Value: "0123abcd"},
			{Key: "vcs.time", Value: "2026-11-21T03:00:00Z"}},
	}
	modules := []module{
		{Path: "example.com/a_b/v2", Version: "v2.1.0", licences: []licence{{ids: []string{"MIT"}}}},
		{Path: "std", Version: "go1.26.0", licences: []licence{{ids: []string{"BSD-3-Clause"}}}},
	}
	doc, err := bill("program", sha256.Sum256([]byte("x")), info, modules)
	require.NoError(t, err)
	require.NoError(t, spdxlib.ValidateDocument(doc))
	var b bytes.Buffer
	require.NoError(t, spdxjson.Write(doc, &b, spdxjson.Indent("  ")))
	golden := filepath.Join("testdata", "bill.spdx.json")
	if *update {
		require.NoError(t, os.WriteFile(golden, b.Bytes(), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())

	info.Settings = info.Settings[:2]
	_, err = bill("program", sha256.Sum256(nil), info, nil)
	require.ErrorContains(t, err, "-buildvcs=true")
}

func TestUsage(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), nil, t.Output()), "usage:")
	require.ErrorContains(t, run(t.Context(), []string{"sbom", "release.go"}, t.Output()), "usage:")
	require.Error(t, run(t.Context(), []string{"sbom", "main.go", filepath.Join(t.TempDir(), "x")}, t.Output()), "a source file is no program")
}
