// Package examples holds the files of kubectl sparkdoctor demo, which are compiled in.
package examples

import "embed"

//go:embed demo/*.yaml demo/*.gz demo/*.log
var demo embed.FS

// DemoFolder is the folder of Demo that holds all its files.
const DemoFolder = "demo"

// DemoTime is when the files of the demo show the cluster, as --as-of takes it.
const DemoTime = "2026-11-21T14:48:14Z"

// Demo returns a few objects of a broken cluster. examples/demo/README.md says how they were recorded.
func Demo() embed.FS { return demo }
