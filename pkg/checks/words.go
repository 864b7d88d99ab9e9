package checks

import "fmt"

// counted returns "1 pod" or "2 pods".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// verb returns the form that goes with a number.
func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// countedAre returns "1 pod is" or "2 pods are".
func countedAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", n, noun)
}
