// Package logs finds in the logs of an application what failed first.
package logs
