package catalog

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
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
		require.Equal(t, list, ofSubject(subject, asWritten), "it is decoded without the schema when the program runs")
		for i := range list {
			require.NoError(t, list[i].check(func(err error, key ...string) error {
				return d.ErrorAt(err, append([]string{"signatures", strconv.Itoa(i)}, key...)...)
			}))
			for _, next := range list[i].Next {
				require.NotRegexp(t, `(?:^|[^$])\{`, fields.Names{}.Fill(next), "%s: what is in braces is no placeholder", list[i].ID)
			}
		}
	}
}

// TestTopicsAreThoseOfTheSchema: what a file may say is what the program knows, and each topic is that of a built-in signature.
func TestTopicsAreThoseOfTheSchema(t *testing.T) {
	var described struct {
		Defs struct {
			Signature struct {
				Properties struct {
					About struct {
						Items struct {
							Enum []Topic `json:"enum"`
						} `json:"items"`
					} `json:"about"`
				} `json:"properties"`
			} `json:"signature"`
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(Schema(), &described))
	known, said := map[Topic]bool{}, map[Topic]bool{}
	for topic, means := range topics() {
		require.NotZero(t, means.topics, topic)
		known[topic] = true
	}
	for _, topic := range described.Defs.Signature.Properties.About.Items.Enum {
		said[topic] = true
	}
	require.Equal(t, known, said)
	for _, s := range Builtin().Signatures() {
		for _, topic := range s.About {
			delete(said, topic)
		}
	}
	require.Empty(t, said)
}

// TestMatchingNeedsNoDocumentation: without sources and examples the signatures are the same.
func TestMatchingNeedsNoDocumentation(t *testing.T) {
	want := Documented()
	for i := range want {
		require.NotEmpty(t, want[i].Examples, want[i].ID)
		want[i].Source, want[i].Examples, want[i].LookAlikes = nil, nil, nil
	}
	require.Equal(t, want, Builtin().Signatures())
}
