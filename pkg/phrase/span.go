package phrase

import (
	"fmt"
	"time"
)

// Span is a duration in its largest unit that says enough: "41 min", "3 h 20 min", "12 s".
func Span(d time.Duration) string {
	d = max(d, 0).Round(time.Second)
	days := int(d.Hours()) / 24
	hours := int(d.Hours())
	minutes := int(d.Minutes())
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case minutes < 120:
		return fmt.Sprintf("%d min", minutes)
	case hours < 48 && minutes%60 == 0:
		return fmt.Sprintf("%d h", hours)
	case hours < 48:
		return fmt.Sprintf("%d h %d min", hours, minutes%60)
	case days >= 2*365:
		return fmt.Sprintf("%d years", days/365)
	default:
		return fmt.Sprintf("%d d", days)
	}
}
