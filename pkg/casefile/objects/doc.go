// Package objects finds in the objects and events of an application, and in those that surround it, what keeps it from working or ended it.
package objects
