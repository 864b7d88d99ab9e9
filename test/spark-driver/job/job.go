// Package job holds what drivers and executors run: a program for a JVM, and some for Python.
package job

import "embed"

// Files are the programs' sources.
//
//go:embed *.java *.py
var Files embed.FS
