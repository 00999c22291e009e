package packaging

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// DocumentTypes returns the part of the bundle's Info.plist on types: the kinds of documents, and the types that no one else
// declares (PlistBuddy merges it).
func DocumentTypes() string {
	var documents, types strings.Builder
	for i := range Types {
		t := &Types[i]
		rank := "Alternate"
		if t.Default {
			rank = "Default"
		}
		documents.WriteString("    <dict>\n" + key("CFBundleTypeName", t.Title) + key("CFBundleTypeRole", "Viewer") +
			key("LSHandlerRank", rank) + "      <key>LSItemContentTypes</key>\n" + strs("      ", t.uti()) + "    </dict>\n")
		if t.UTI != "" { // macOS declares it
			continue
		}
		extensions := make([]string, len(t.Extensions))
		for i, e := range t.Extensions {
			extensions[i] = strings.TrimPrefix(e, ".")
		}
		types.WriteString("    <dict>\n" + key("UTTypeIdentifier", t.uti()) + key("UTTypeDescription", t.Title) +
			"      <key>UTTypeConformsTo</key>\n" + strs("      ", t.conformsTo()) +
			"      <key>UTTypeTagSpecification</key>\n      <dict>\n        <key>public.filename-extension</key>\n" +
			strs("        ", extensions...) + "        <key>public.mime-type</key>\n" + strs("        ", t.MIME) + "      </dict>\n    </dict>\n")
	}
	return xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>CFBundleDocumentTypes</key>
  <array>
` + documents.String() + `  </array>
  <key>UTImportedTypeDeclarations</key>
  <array>
` + types.String() + `  </array>
</dict>
</plist>
`
}

func key(name, value string) string {
	return fmt.Sprintf("      <key>%s</key>\n      <string>%s</string>\n", name, escaped(value))
}

func strs(indent string, values ...string) string {
	var b strings.Builder
	b.WriteString(indent + "<array>\n")
	for _, v := range values {
		fmt.Fprintf(&b, "%s  <string>%s</string>\n", indent, escaped(v))
	}
	b.WriteString(indent + "</array>\n")
	return b.String()
}

// uti returns the type's identifier on macOS.
func (t *Type) uti() string {
	if t.UTI != "" {
		return t.UTI
	}
	family, name, _ := strings.Cut(t.MIME, "/")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "x-"), "vnd.")
	if family == "text" {
		name += "-text"
	}
	return strings.ToLower(ID) + "." + name
}

func (t *Type) conformsTo() string {
	if t.Parent == "text/plain" {
		return "public.plain-text"
	}
	return "public.data"
}
