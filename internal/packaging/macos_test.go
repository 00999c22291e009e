package packaging

import (
	"encoding/xml"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// plist reads a property list of texts, arrays and dictionaries.
func plist(t *testing.T, text string) any {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	var read func(start xml.StartElement) any
	read = func(start xml.StartElement) any {
		var list []any
		var letters string
		for {
			token, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				list = append(list, read(token))
			case xml.CharData:
				letters += string(token)
			case xml.EndElement:
				switch start.Name.Local {
				case "dict":
					dict := make(map[string]any)
					for pair := range slices.Chunk(list, 2) {
						dict[pair[0].(string)] = pair[1]
					}
					return dict
				case "array":
					return list
				case "plist":
					return list[0]
				}
				return letters
			}
		}
	}
	for {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			return read(start)
		}
	}
}

// TestDocumentTypes holds what goes into Info.plist against the keys and values that Apple documents for
// CFBundleDocumentTypes and UTImportedTypeDeclarations.
func TestDocumentTypes(t *testing.T) {
	root := plist(t, DocumentTypes()).(map[string]any)
	keysAre(t, root, "CFBundleDocumentTypes", "UTImportedTypeDeclarations")
	identifier := regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`) // of ASCII, Apple allows no other characters
	declared := []string{"public.data"}
	for _, d := range root["UTImportedTypeDeclarations"].([]any) {
		d := d.(map[string]any)
		keysAre(t, d, "UTTypeConformsTo", "UTTypeDescription", "UTTypeIdentifier", "UTTypeTagSpecification")
		tags := d["UTTypeTagSpecification"].(map[string]any)
		keysAre(t, tags, "public.filename-extension", "public.mime-type")
		for _, e := range tags["public.filename-extension"].([]any) {
			if e == "" || strings.HasPrefix(e.(string), ".") {
				t.Errorf("%v: an extension is told without its dot: %q", d["UTTypeIdentifier"], e)
			}
		}
		id := d["UTTypeIdentifier"].(string)
		if !identifier.MatchString(id) || slices.Contains(declared, id) {
			t.Errorf("%q is no identifier of a type, or twice there", id)
		}
		declared = append(declared, id)
	}
	for _, d := range root["CFBundleDocumentTypes"].([]any) {
		d := d.(map[string]any)
		keysAre(t, d, "CFBundleTypeName", "CFBundleTypeRole", "LSHandlerRank", "LSItemContentTypes")
		if role, rank := d["CFBundleTypeRole"], d["LSHandlerRank"]; role != "Viewer" || rank != "Default" && rank != "Alternate" {
			t.Errorf("%v: role %v, rank %v", d["CFBundleTypeName"], role, rank)
		}
		for _, id := range d["LSItemContentTypes"].([]any) {
			id := id.(string)
			if system := strings.HasPrefix(id, "public.") || strings.HasPrefix(id, "com."); !system && !slices.Contains(declared, id) {
				t.Errorf("%v opens %s, which nobody declares", d["CFBundleTypeName"], id)
			}
		}
	}
}

func keysAre(t *testing.T, dict map[string]any, want ...string) {
	t.Helper()
	for key := range dict {
		if !slices.Contains(want, key) {
			t.Errorf("an unknown key %s", key)
		}
	}
	for _, key := range want {
		if dict[key] == nil {
			t.Errorf("no %s in %v", key, dict)
		}
	}
}
