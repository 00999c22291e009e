package packaging

import (
	"encoding/xml"
	"fmt"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
)

// MIMEInfo returns the file for share/mime/packages of shared-mime-info.
func MIMEInfo() string {
	var b strings.Builder
	b.WriteString(xml.Header + `<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">` + "\n")
	for i := range Types {
		t := &Types[i]
		if t.Known {
			continue
		}
		fmt.Fprintf(&b, "  <mime-type type=%s>\n    <comment>%s</comment>\n", attribute(t.MIME), escaped(t.Title))
		if t.Parent != "" {
			fmt.Fprintf(&b, "    <sub-class-of type=%s/>\n", attribute(t.Parent))
		}
		fmt.Fprintf(&b, "    <generic-icon name=%s/>\n", attribute(t.icon()))
		if len(t.Magic) > 0 {
			// Above the usual 50: nothing else begins so, and some general types match almost anything.
			b.WriteString("    <magic priority=\"60\">\n")
			for _, m := range t.Magic {
				writeMagic(&b, &m, "      ")
			}
			b.WriteString("    </magic>\n")
		}
		for _, e := range t.Extensions {
			fmt.Fprintf(&b, "    <glob pattern=%s/>\n", attribute("*"+e))
		}
		b.WriteString("  </mime-type>\n")
	}
	b.WriteString("</mime-info>\n")
	return b.String()
}

// writeMagic writes a rule, and within it what must be elsewhere besides.
func writeMagic(b *strings.Builder, m *model.Magic, indent string) {
	fmt.Fprintf(b, "%s<match type=\"string\" offset=\"%d\" value=%s", indent, m.Offset, attribute(m.Text))
	if m.And == nil {
		b.WriteString("/>\n")
		return
	}
	b.WriteString(">\n")
	writeMagic(b, m.And, indent+"  ")
	fmt.Fprintf(b, "%s</match>\n", indent)
}

// icon returns the theme's icon for such files.
func (t *Type) icon() string {
	switch {
	case t.Icon != "":
		return t.Icon
	case t.Parent == "application/zip":
		return "package-x-generic"
	case t.Parent == "text/plain":
		return "text-x-generic"
	}
	return "x-office-document"
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return b.String()
}

func attribute(s string) string { return `"` + escaped(s) + `"` }

// DesktopEntry returns the program's entry for share/applications. The installer puts the program's whole path into it.
func DesktopEntry() string {
	return `[Desktop Entry]
Type=Application
Version=1.1
Name=` + Name + `
GenericName=Binary Format Explorer
Comment=` + Summary + `
Exec=` + Program + ` %F
TryExec=` + Program + `
Icon=` + ID + `
Terminal=false
StartupNotify=false
StartupWMClass=` + Name + `
Categories=Development;
Keywords=hex;binary;bytes;` + keywords() + `
MimeType=` + strings.Join(mimes(everyType), ";") + `;
Actions=new-window;

[Desktop Action new-window]
Name=New Window
Exec=` + Program + ` --new-window
`
}

// keywords are those of all formats.
func keywords() string {
	var b strings.Builder
	for _, f := range decoders.All() {
		for _, k := range f.Keywords {
			b.WriteString(k + ";")
		}
	}
	return b.String()
}

// Associations returns the mimeapps.list for share/applications: the types that we are the default for, and for others
// the programs that take precedence. The user's choices, in a file of the same name in ~/.config, override it.
func Associations() string {
	var defaults, offered strings.Builder
	for i := range Types {
		t := &Types[i]
		if t.Default {
			fmt.Fprintf(&defaults, "%s=%s.desktop;\n", t.MIME, ID)
			continue
		}
		fmt.Fprintf(&offered, "%s=%s.desktop;\n", t.MIME, ID)
		if others := t.others(); others != nil {
			fmt.Fprintf(&defaults, "%s=%s.desktop;\n", t.MIME, strings.Join(others, ".desktop;"))
		}
	}
	return "[Default Applications]\n" + defaults.String() + "\n[Added Associations]\n" + offered.String()
}

// Metainfo returns the entry of the program in catalogues of software (AppStream).
func Metainfo(version, date string) string {
	var types strings.Builder
	for _, m := range mimes(func(t *Type) bool { return !t.Known }) {
		fmt.Fprintf(&types, "    <mediatype>%s</mediatype>\n", escaped(m))
	}
	return xml.Header + `<component type="desktop-application">
  <id>` + ID + `</id>
  <name>` + Name + `</name>
  <summary>` + Summary + `</summary>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>Apache-2.0</project_license>
  <developer id="dev.cutaway"><name>The Cutaway authors</name></developer>
  <description>
    <p>Cutaway opens a binary file, says what it is, decodes it into a tree and shows the tree beside the bytes: choose a node and its bytes light up, click a byte and its node is found. Damaged files open too, and say where they are damaged. The opened file is never changed.</p>
    <p>It reads ` + sentence(everyType) + `.</p>
  </description>
  <launchable type="desktop-id">` + ID + `.desktop</launchable>
  <provides>
    <binary>` + Program + `</binary>
` + types.String() + `  </provides>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version=` + attribute(version) + ` date=` + attribute(date) + `/>
  </releases>
</component>
`
}
