package snapshot

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTimesCanBeWritten: whatever time is read can be written again, in every year and offset that RFC 3339 has.
func TestTimesCanBeWritten(t *testing.T) {
	read, refused := 0, 0
	for _, day := range []string{"0000-01-01", "0001-01-01", "1970-01-01", "2026-11-28", "9999-12-31"} {
		for _, clock := range []string{"00:00:00", "12:00:00.5", "23:59:59", "23:59:59.999999999"} {
			for _, zone := range []string{"Z", "+00:00", "-00:01", "+00:01", "-23:59", "+23:59", "-12:00", "+14:00"} {
				text := day + "T" + clock + zone
				at, err := ParseTime(text)
				require.Equal(t, err != nil, OutOfRange(text), text)
				if err != nil {
					refused++
					require.True(t, at.IsZero())
					continue
				}
				read++
				_, err = json.Marshal(at)
				require.NoError(t, err, text)
			}
		}
	}
	require.Positive(t, read)
	require.Positive(t, refused)
	for _, text := range []string{"", "yesterday", "9999-12-31T23:59:59-25:00", "9999-12-31Tx", fmt.Sprint(time.Now().Unix())} {
		_, err := ParseTime(text)
		require.Error(t, err)
		require.False(t, OutOfRange(text))
	}
}
