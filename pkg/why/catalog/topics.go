package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// Topic is a word for what a signature is about.
type Topic string

// meant is what a topic means.
type meant struct {
	topics  cause.Topics
	related bool // it leads to other causes, which those of a team's own signatures do not
}

// topics are all that a signature can be about.
func topics() map[Topic]meant {
	return map[Topic]meant{
		"memory":           {topics: cause.Memory},
		"own-limit":        {topics: cause.OwnLimit},
		"timeout":          {topics: cause.TimesOut},
		"local-directory":  {topics: cause.Unwritable},
		"cpu-architecture": {topics: cause.OtherCPU},
		"killed":           {topics: cause.Killed, related: true},
		"exit-52":          {topics: cause.Exit52, related: true},
		"python-worker":    {topics: cause.WorkerGone, related: true},
		"absent-file":      {topics: cause.AbsentFile, related: true},
		"host-name":        {topics: cause.UnknownHost, related: true},
		"refused-pod":      {topics: cause.PodRefused, related: true},
		"quota-exceeded":   {topics: cause.OverQuota, related: true},
	}
}

// Topics is all that the signature is about.
func (s *Signature) Topics() cause.Topics {
	var all cause.Topics
	for _, one := range s.About {
		all |= topics()[one].topics
	}
	return all
}
