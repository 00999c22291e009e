package omnilive

import (
	"fmt"

	"cutaway/model"
)

// outcome is the effect of a command, or why it had none.
type outcome uint8

const (
	pendingOutcome outcome = iota // not applied yet
	applied
	alreadyDeleted
	noSuchNode
	parentMissing
	nameExists
	idReused
	zeroID
	rootRule
	isRoot
	cycle
	diffOnly
	deletesParentGone
	deletesNameExists
	unreadable
	beyondLimit
)

var outcomeNames = map[outcome]string{
	applied: "applied", alreadyDeleted: "no-op: already deleted", noSuchNode: "no-op: no such node",
	parentMissing: "no-op: parent missing", nameExists: "no-op: name exists", idReused: "no-op: id reused",
	zeroID: "no-op: zero id", rootRule: "no-op: root rule", isRoot: "no-op: root", cycle: "no-op: cycle",
	diffOnly: "no-op: diff only", deletesParentGone: "deletes: new parent gone", deletesNameExists: "deletes: name exists",
	unreadable: "not readable", beyondLimit: "not applied: limit",
}

// String is the outcome in words.
func (o outcome) String() string { return outcomeNames[o] }

// commandRemark is something odd about a command besides its outcome; several may hold.
type commandRemark uint8

const (
	notInDiff      commandRemark = 1 << iota // a diff holds another command
	listedTwice                              // an id twice in childrenList
	oddSpecType                              // sectionType is no spec type
	nameClash                                // the section's name is another's at the end of the diff
	lateParent                               // DiffChangeSection before its parent
	nameNotSet                               // DiffChangeSection without sectionName
	listOutOfRange                           // childrenListId is none of a section's lists
	withoutName                              // a section that is made or moved gets no name
)

// problems lists what a command has wrong.
func problems(o outcome, r commandRemark, place model.Span) []model.Problem {
	var list []model.Problem
	tell := func(kind model.Kind, rule, message string) {
		list = append(list, model.Problemf(kind, "omnilive.command."+rule, place, "%s", message))
	}
	add := func(rule, message string) { tell(model.Suspicious, rule, message) }
	switch o {
	case zeroID:
		add("zero-id", "a section id is 0, which none has")
	case rootRule:
		add("root-rule", "the root is section 1 with parent 0, and no other is")
	case idReused:
		add("id-reused", "the section id was used before")
	case isRoot:
		add("root", "the root cannot be moved")
	case cycle:
		add("cycle", "the section would be under itself")
	case beyondLimit:
		tell(model.Limit, "limit", "this command and those after it are not applied: the layer has as many sections as memory allows, which --max-memory raises")
	case diffOnly:
		add("diff-only", "this command has a meaning in a diff only")
	}
	for _, odd := range []struct {
		of            commandRemark
		rule, message string
	}{
		{lateParent, "parent-missing", "the section comes before its parent"},
		{notInDiff, "not-in-diff", "a diff holds a command that is none of the Diff commands"},
		{listedTwice, "listed-twice", "an id is listed twice; it counts once"},
		{oddSpecType, "spec-type", "the section type is none of USD's spec types"},
		{nameClash, "name-clash", "another section of the same parent has this name at the end of the diff"},
		{withoutName, "no-name", "the section gets no name; its path has its id"},
	} {
		if r&odd.of != 0 {
			add(odd.rule, odd.message)
		}
	}
	if r&nameNotSet != 0 {
		tell(model.Malformed, "name-not-set", "DiffChangeSection has no sectionName, which must always be set")
	}
	if r&listOutOfRange != 0 {
		tell(model.Malformed, "children-list", fmt.Sprintf("a section has at most %d lists of children", childrenLists))
	}
	return list
}
