package logs

import (
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
)

var (
	blockManager = regexp.MustCompile(`FetchFailed\(BlockManagerId\((\w+),`)
	lostFailure  = regexp.MustCompile(`ExecutorLostFailure \(executor (\w+) `)
)

// behind finds why executors were lost or their output was, where a job was given up for that.
func (s *story) behind(c candidate) (candidate, bool) {
	about := map[string]bool{}
	text := s.entries[c.at].message + "\n" + strings.Join(s.entries[c.at].extra, "\n")
	names := blockManager.FindAllStringSubmatch(text, -1)
	names = append(names, lostFailure.FindAllStringSubmatch(text, -1)...)
	for _, t := range s.tasks {
		if t.at < c.at && c.tried == nil {
			names = append(names, blockManager.FindAllStringSubmatch(s.entries[t.at].message, -1)...)
		}
		if t.at < c.at && c.tried != nil && t.task == c.tried[0] && t.stage == c.tried[1] {
			names = append(names, []string{"", t.executor})
		}
	}
	for _, m := range names {
		about[m[1]] = true
	}
	if len(about) == 0 && !fetches(c.links) && !strings.Contains(text, "Max number of executor failures") {
		return candidate{}, false
	}
	for _, t := range s.tasks {
		if t.at > c.at || !about[t.executor] {
			continue
		}
		links := chain(&s.entries[t.at])
		if v := judged(links); v.strength >= plausible {
			return candidate{at: t.at, end: c.at, links: links, verdict: v, proven: v.strength == certain, executor: t.executor,
				tried: c.tried}, true
		}
	}
	return s.lost(c, text)
}

func fetches(links []link) bool {
	for i := range links {
		if links[i].class == "FetchFailed" || strings.HasSuffix(links[i].class, "FetchFailedException") {
			return true
		}
	}
	return false
}

// lost says why most executors were lost before a job was given up.
func (s *story) lost(c candidate, text string) (candidate, bool) {
	byReason := map[lossReason][]loss{}
	for _, l := range s.losses {
		if l.at <= c.at {
			byReason[l.why] = append(byReason[l.why], l)
		}
	}
	most := unexplained
	for reason, losses := range byReason {
		if reason == unexplained {
			continue
		}
		n := len(byReason[most])
		if most == unexplained || len(losses) > n || len(losses) == n && reason > most {
			most = reason
		}
	}
	c.losses = byReason[most]
	if most == unexplained {
		most = reasonOf(text)
	}
	if len(c.losses) > 0 {
		c.at = c.losses[0].at
	}
	if most == unexplained {
		if len(c.losses) > 0 {
			c.verdict = verdict{strength: effectOnly, class: cause.Unknown, says: lostSays(c.losses, most), root: c.verdict.root}
			return c, true
		}
		return candidate{}, false
	}
	c.verdict = verdict{strength: plausible, class: most.class(), says: lostSays(c.losses, most), root: c.verdict.root}
	c.proven = most.certain()
	return c, true
}
