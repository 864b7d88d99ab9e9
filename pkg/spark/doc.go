// Package spark answers what Spark and its operator make of records: what an application asks for of the webhook and of releases, what
// service accounts may do, how much memory a JVM gets. Records hold facts; what follows from them is a pure function here.
package spark
