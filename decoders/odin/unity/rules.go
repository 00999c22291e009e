package unity

import "cutaway/model"

// The rules that functions of this package find, by their ids.
const (
	ruleConflict = "odin.carrier.conflict"
	ruleTextCode = "odin.carrier.text"
)

// Rules lists the problems of Unity files.
var Rules = []model.Rule{
	{ID: ruleConflict, Help: "a line of a Unity file is a conflict marker of Git: Unity cannot read the file, and fields may be there twice"},
	{ID: ruleTextCode, Help: "a payload is neither hex nor base64 to its end"},
}
