// Package apply carries plans out. It is the only package that writes to a cluster, and it writes nothing but what a
// resolved step says.
package apply
