package catalog

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBuiltinFilesAreSound holds the files of the program to what files of others are held to: the schema, expressions that compile to
// little, groups that exist, examples that fit and look-alikes that do not. To prove a cause is for built-in signatures only.
func TestBuiltinFilesAreSound(t *testing.T) {
	for _, subject := range subjects() {
		name := "builtin/" + subject + ".yaml"
		text, err := builtin.ReadFile(name)
		require.NoError(t, err)
		d, list, err := parse(File{Name: name, Text: text})
		require.NoError(t, err)
		require.Equal(t, list, ofSubject(subject), "it is decoded without the schema when the program runs")
		for i := range list {
			require.NoError(t, list[i].check(func(err error, key ...string) error {
				return d.ErrorAt(err, append([]string{"signatures", strconv.Itoa(i)}, key...)...)
			}))
		}
	}
}
