package report

// Cost is what a scan took.
type Cost struct {
	Milliseconds    int `json:"milliseconds"`
	PeakMemoryBytes int `json:"peakMemoryBytes,omitempty"` // largest resident set; absent where the system does not say
	Requests        int `json:"requests"`
	Bytes           int `json:"bytes"` // of the answers' bodies, after decompression
	// Listings says the same of each view that was listed, and of what is no listing. Empty for files.
	Listings []ListingCost `json:"listings,omitempty"`
}

// ListingCost is what one view took. Views are read at the same time, so that their times do not add up.
type ListingCost struct {
	Of           string `json:"of"`
	Requests     int    `json:"requests"`
	Bytes        int    `json:"bytes"`
	Milliseconds int    `json:"milliseconds"`
}
