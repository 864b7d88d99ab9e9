package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// machine is what the numbers depend on.
type machine struct {
	cores   int
	memory  int64 // bytes, 0: unknown
	system  string
	runtime string
	load    string // averages over 1, 5 and 15 minutes, empty: unknown
}

func thisMachine() machine {
	return machine{
		cores: runtime.NumCPU(), memory: totalMemory(), system: runtime.GOOS + "/" + runtime.GOARCH,
		runtime: strings.TrimPrefix(runtime.Version(), "go"), load: loadAverages(),
	}
}

// totalMemory and loadAverages know Linux only.
func totalMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	m := regexp.MustCompile(`MemTotal: +(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return 0
	}
	kib, err := strconv.ParseInt(string(m[1]), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

func loadAverages() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

func (m machine) String() string {
	memory := ""
	if m.memory > 0 {
		memory = fmt.Sprintf(", %.0f GiB of memory", float64(m.memory)/(1<<30))
	}
	return fmt.Sprintf("%d cores%s, %s, Go %s", m.cores, memory, m.system, m.runtime)
}
