package unity

import (
	"strings"

	"cutaway/decoders/odin/entry"
)

// Carrier is the Unity object that holds a payload.
type Carrier struct {
	class   string // "MonoBehaviour"
	anchor  string // "&11400000"
	name    string // m_Name
	owner   string // the id of the GameObject that the component belongs to, and
	on      string // its name, where the file has it
	Format  string // SerializedFormat, where it is given
	Field   string
	Objects entry.Externals
}

// String names the carrier in a few words.
func (c *Carrier) String() string {
	parts := []string{c.class, c.anchor}
	switch {
	case c.name != "":
		parts = append(parts, c.name)
	case c.on != "":
		parts = append(parts, "on "+c.on)
	}
	return strings.Join(parts, " ")
}
