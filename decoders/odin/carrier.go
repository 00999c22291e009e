package odin

import "strings"

// carrier is the Unity object that holds a payload.
type carrier struct {
	class   string // "MonoBehaviour"
	anchor  string // "&11400000"
	name    string // m_Name
	owner   string // the id of the GameObject that the component belongs to, and
	on      string // its name, where the file has it
	format  string // SerializedFormat, where it is given
	field   string
	objects externals
}

// String names the carrier in a few words.
func (c *carrier) String() string {
	parts := []string{c.class, c.anchor}
	switch {
	case c.name != "":
		parts = append(parts, c.name)
	case c.on != "":
		parts = append(parts, "on "+c.on)
	}
	return strings.Join(parts, " ")
}
