package why_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
)

// TestNoAnswerContradictsItself holds each case of the corpus, each recording and each fixture: no two statements of an answer are about
// the same and disagree, and none stands twice.
func TestNoAnswerContradictsItself(t *testing.T) {
	for _, c := range sampling.NightlyOf(shown(t)) {
		agrees(t, c.ID, asItIs(t, &c))
	}
	for name := range answers() {
		agrees(t, name, recording(t, name))
	}
	for _, c := range fixtures(t) {
		one := decoded(t, c)
		agrees(t, c.ID, one.Evidence(one.objects))
	}
}

func agrees(t *testing.T, id string, e *app.Evidence) {
	t.Helper()
	f := why.Open(e)
	faultAndFine(t, id, &f)
	seenAndNot(t, id, &f)
	notRuledOut(t, id, &f, why.WhatItWasNot(e))
	saidOnce(t, id, &f)
}

// faultAndFine: beside a fault, or beside what cannot be told, nothing says that the application is well.
func faultAndFine(t *testing.T, id string, f *why.CaseFile) {
	t.Helper()
	if lead := f.Verdict().Class; !lead.Fault() && lead != cause.Unknown {
		return
	}
	well := []cause.Class{cause.RunningNormally, cause.SlowButProgressing, cause.Succeeded}
	for i := range f.Causes[1:] {
		assert.NotContains(t, well, f.Causes[1+i].Class, "%s: %s", id, f.Causes[1+i].Message)
	}
}

// seenAndNot: what was not seen proves nothing, but by events, which outlive it.
func seenAndNot(t *testing.T, id string, f *why.CaseFile) {
	t.Helper()
	if f.State.Word != "NOT_SEEN" && f.State.Word != "GONE" {
		return
	}
	for _, c := range f.Causes {
		for _, p := range c.Evidence {
			same := p.Object.Kind == f.Subject.Kind && p.Object.Name == f.Subject.Name
			assert.True(t, !same || p.Field == "" || strings.HasPrefix(p.Field, "event "), "%s: %s, but %s", id, f.State.Word, p.Field)
		}
	}
}

// notRuledOut: it was not what another statement says that it was.
func notRuledOut(t *testing.T, id string, f *why.CaseFile, not []rank.RuledOut) {
	t.Helper()
	was := map[rank.Rival]func(*why.Cause) bool{
		rank.CodeFailure: func(c *why.Cause) bool { return c.Class == cause.CodeFailed },
		rank.OwnMemory:   func(c *why.Cause) bool { return aboutDriver(c) && c.Detail.Mechanism() == "oom-killed" },
		rank.Eviction:    func(c *why.Cause) bool { return aboutDriver(c) && c.Detail.Mechanism() == "evicted" },
	}
	for _, r := range not {
		assert.False(t, slices.ContainsFunc(f.Causes, func(c why.Cause) bool { return was[r.Kind](&c) }), "%s: %v is ruled out and said", id, r)
	}
}

func aboutDriver(c *why.Cause) bool { return c.Detail != nil && c.Role == cause.DriverRole }

// saidOnce: each statement is made once.
func saidOnce(t *testing.T, id string, f *why.CaseFile) {
	t.Helper()
	once := map[string]bool{}
	for i := range f.Causes {
		assert.False(t, once[f.Causes[i].Message], "%s: %s", id, f.Causes[i].Message)
		once[f.Causes[i].Message] = true
	}
	lines := map[string]bool{}
	for _, p := range f.Telling {
		assert.False(t, lines[p.Value], "%s: %s", id, p.Value)
		lines[p.Value] = true
	}
}
