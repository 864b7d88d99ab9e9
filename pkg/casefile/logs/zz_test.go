package logs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/evidence"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/logs"
)

func TestZZ(t *testing.T) {
	show := func(e *evidence.Evidence) {
		for _, c := range logs.Causes(e) {
			fmt.Println("   ", c.Class, c.Certainty, "effect:", c.Effect, c.Signature, "|", c.Message, c.At.Format("15:04:05"))
			for _, p := range c.Evidence {
				v := p.Value
				if len(v) > 170 { v = v[:170] }
				fmt.Println("        -", v)
			}
		}
	}
	for _, dir := range openCases(t) {
		e, a := caseOf(t, dir)
		if len(e.Logs) == 0 { continue }
		fmt.Println("##", filepath.Base(dir), a.Class, a.AlsoRight, a.Proof)
		show(e)
	}
	dirs, _ := filepath.Glob("../../../test/node/recordings/*")
	for _, dir := range dirs {
		e := &evidence.Evidence{}
		files, _ := filepath.Glob(dir + "/logs/*")
		for _, f := range files {
			b, _ := os.ReadFile(f)
			n := strings.Split(filepath.Base(f), ".")
			role := "driver"
			if strings.Contains(n[0], "-exec-") { role = "executor" }
			e.Logs = append(e.Logs, evidence.Log{Namespace: "x", Pod: n[0], Container: n[1], Tail: string(b), Role: role})
		}
		fmt.Println("##", filepath.Base(dir))
		show(e)
	}
}
