// Package wire decodes what an API server or a file says of objects, as JSON or protobuf, into the records of package snapshot. It has
// a decoder under each key of the table of kinds. Records of one decoder share what they have in common.
package wire
