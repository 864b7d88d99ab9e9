package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/config"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// configure reads --config, or the file that is found, and takes from it what no flag says. Files that are not of this machine have
// no configuration.
func (o *scanOptions) configure(ctx context.Context) error {
	if o.disk != nil {
		return nil
	}
	o.configFile = o.config
	if o.configFile == "" {
		here, err := os.Getwd()
		if err != nil {
			return err
		}
		home, _ := os.UserHomeDir()
		if o.configFile, o.notRead, err = findConfig(here, home); err != nil || o.configFile == "" {
			return err
		}
	}
	text, err := input.ReadFile(ctx, o.configFile, nil, config.MaxFile)
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	c, err := config.Parse(shown(o.configFile), text)
	if err != nil {
		return &configError{err}
	}
	o.apply(c)
	return nil
}

// configError is a mistake in the file. Its schema tells what may be there, and the help of the command does not.
type configError struct{ error }

func (e *configError) Unwrap() error { return e.error }

// findConfig looks for the file in a directory and those above it, up to the root of the repository or the home
// directory. In neither of them only the directory itself counts: a file further up may be another user's, and it can turn a
// pipeline green. A file of the other ending is not read, and named.
func findConfig(here, home string) (found, other string, err error) {
	var dirs []string
	bounded := false
	for dir := here; !bounded; {
		dirs = append(dirs, dir)
		_, err := os.Stat(filepath.Join(dir, ".git"))
		bounded = err == nil || dir == home
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	if !bounded {
		dirs = dirs[:1]
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, config.FileName)
		switch _, err := os.Stat(path); {
		case err == nil:
			return path, "", nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", "", err
		}
		if _, err := os.Stat(filepath.Join(dir, config.OtherName)); err == nil && other == "" {
			other = filepath.Join(dir, config.OtherName)
		}
	}
	return "", other, nil
}

// shown is a path as people know it: relative to where they are, if that is not longer.
func shown(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if relative, err := filepath.Rel(here, path); err == nil && len(relative) < len(path) {
		return relative
	}
	return path
}

func (o *scanOptions) apply(c *config.Config) {
	given := o.flags.Changed
	named := given("checks") || len(o.checks) > 0 // by the arguments of fix
	if !named && c.Checks != nil {
		o.checks = o.own(c.Checks)
	}
	if !given("skip-checks") && !named && c.SkipChecks != nil { // who names checks wants these
		o.skip = o.own(c.SkipChecks)
	}
	if !given("fail-on") && c.FailOn != "" {
		o.failOn = c.FailOn
	}
	t, p := c.Thresholds, &o.params
	for _, threshold := range []struct {
		flag       string
		from, into *time.Duration
	}{
		{"stuck-after", t.StuckAfter, &p.StuckAfter}, {"new-after", t.NewAfter, &p.NewAfter},
		{"confirm-after", t.ConfirmAfter, &p.SettleAfter}, {"cert-warn", t.CertWarn, &p.CertWarn},
		{"finished-after", t.FinishedAfter, &p.FinishedAfter}, {"failed-within", t.FailedWithin, &p.FailedWithin},
		{"submitted-after", t.SubmittedAfter, &p.SubmittedAfter}, {"transition-after", t.TransitionAfter, &p.TransitionAfter},
	} {
		if !given(threshold.flag) && threshold.from != nil {
			*threshold.into = *threshold.from
		}
	}
	for _, threshold := range []struct {
		flag string
		from int
		into *int
	}{
		{"max-object-size", t.MaxObjectSize, &p.MaxObjectSize}, {"pile-up", t.PileUp, &p.PileUp},
		{"restarts", t.Restarts, &p.Restarts}, {"backlog", t.Backlog, &p.Backlog},
		{"lost-executors", t.LostExecutors, &p.LostExecutors}, {"oom-executors", t.OOMExecutors, &p.OOMExecutors},
	} {
		if !given(threshold.flag) && threshold.from != 0 {
			*threshold.into = threshold.from
		}
	}
	if !given("signatures") {
		o.signatures = o.ofConfig(c)
	}
	o.suppressions = append(o.suppressions, c.Suppressions...)
	o.severities = c.Severities
}

// ofConfig are the files of signatures that a configuration names, from its own directory.
func (o *scanOptions) ofConfig(c *config.Config) []string {
	out := make([]string, 0, len(c.Signatures))
	for _, path := range c.Signatures {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(o.configFile), path)
		}
		out = append(out, shown(path))
	}
	return out
}

// selectable are the checks that the command can ask.
func (o *scanOptions) selectable() []check.Check {
	if o.catalogue != nil {
		return o.catalogue
	}
	return slices.Concat(check.SuppressionChecks(), checks.All())
}

// own are those of the named checks that the command asks: a configuration is for all commands.
func (o *scanOptions) own(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, err := check.Matching(o.selectable(), name)
		return err != nil
	})
}

// foreign says of named checks which one another command asks.
func (o *scanOptions) foreign() error {
	for _, name := range slices.Concat(o.checks, o.skip) {
		named, err := check.Matching(checks.Catalogue(), name)
		if err != nil || len(o.own([]string{name})) > 0 {
			continue
		}
		c := named[0]
		if c.OfUpgrade() {
			return fmt.Errorf("%s is about an upgrade, and only gate asks it: kubectl sparkdoctor gate --to VERSION --checks %s",
				c.ID, c.ID)
		}
		return fmt.Errorf("%s says nothing of an upgrade, and gate does not ask it: kubectl sparkdoctor scan --checks %s", c.ID, c.ID)
	}
	return nil
}

// selectChecks takes --checks, --skip-checks and the severities of the configuration.
func (o *scanOptions) selectChecks() (err error) {
	if err := o.foreign(); err != nil {
		return err
	}
	o.selected, err = scan.Select(o.selectable(), o.checks, o.skip, o.severities)
	return err
}

// readSuppressions parses --ignore.
func (o *scanOptions) readSuppressions() error {
	for _, text := range o.ignore {
		w, err := checks.ParseIgnore(text)
		if err != nil {
			return errors.New("--ignore: " + err.Error())
		}
		o.suppressions = append(o.suppressions, w)
	}
	return nil
}
