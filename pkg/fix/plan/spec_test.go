package plan

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

func TestSpecIsOneIntent(t *testing.T) {
	kick := fix.Touch{Application: app(), State: "RUNNING", At: aTime(), Consequence: "a < b & c"}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(fix.SpecOf(kick)))
	require.Contains(t, b.String(), "a < b & c", "the encoder says whether HTML is escaped")
	escaped, err := json.Marshal(fix.SpecOf(kick))
	require.NoError(t, err)
	require.Contains(t, string(escaped), `a \u003c b \u0026 c`)
	var back fix.IntentSpec
	require.NoError(t, json.Unmarshal(b.Bytes(), &back))
	require.Equal(t, kick, back.Intent())

	for text, want := range map[string]fix.Intent{
		`null`: nil, `{}`: nil, `{"kick":null}`: nil,
		`{"kick":{},"restart":null}`:                         fix.Touch{},
		`{"kick":{},"restart":{}}`:                           nil,
		`{"kick":{},"restart":{},"pruneExecutorState":null}`: nil,
	} {
		var s fix.IntentSpec
		require.NoError(t, strict([]byte(text), &s), text)
		require.Equal(t, want, s.Intent(), text)
	}
	for text, want := range map[string]string{
		`3`: "the document: is a JSON number", `{"kick":3}`: "kick: is a JSON number", `{"Kick":{}}`: "Kick: is an unknown field",
		`{"restore":null}`: "restore: is an unknown field", `{"kick":{"x":1}}`: "kick.x: is an unknown field",
		`{"kick":{},"kick":{}}`: "kick: duplicate object member name",
	} {
		require.EqualError(t, strict([]byte(text), new(fix.IntentSpec)), want, text)
	}
}

// TestSpecWritesNoRestore: a record takes back only what the table marks as exactly undoable, and no plan does.
func TestSpecWritesNoRestore(t *testing.T) {
	text, err := json.Marshal(fix.SpecOf(fix.Restore{Of: "pruneExecutorState"}))
	require.NoError(t, err)
	require.JSONEq(t, "{}", string(text))
}
