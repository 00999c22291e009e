package decoders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/source/far"
)

// Assets are the paths to other files that a node's value has: of the type asset, or the layers below a layer. Of an array with
// elements that cannot be read those before them.
func Assets(ctx context.Context, n *model.Node) (assets []string) {
	name := strings.TrimSuffix(n.Type, "[]")
	if name != "asset" && n.Name != "subLayers" {
		return nil
	}
	add := func(v model.Value) {
		if text, ok := v.(model.Text); ok && text != "" {
			assets = append(assets, string(text))
		}
	}
	switch v := n.Value.(type) {
	case model.Text:
		add(v)
	case model.Seq:
		for _, e := range v {
			add(e)
		}
	case model.Array:
		window := make([]model.Value, 256)
		for at := int64(0); at < v.Len(); {
			read, err := v.Read(ctx, at, window)
			for _, e := range window[:read] {
				add(e)
			}
			if err != nil || read == 0 {
				break
			}
			at += int64(read)
		}
	}
	return assets
}

// mostAssetParts is how many parts of a node AssetRefs looks at.
const mostAssetParts = 16

// AssetRefs are the files that a node refers to: by its own value or, with parts, as an attribute or a reference does by that of
// a part.
func AssetRefs(ctx context.Context, n *model.Node, parts bool) (refs []model.Ref) {
	seen := map[string]bool{}
	add := func(n *model.Node) {
		for _, asset := range Assets(ctx, n) {
			if !seen[asset] {
				seen[asset] = true
				refs = append(refs, model.Ref{Kind: "file", File: asset})
			}
		}
	}
	if add(n); !parts || len(refs) > 0 || n.Children == nil || n.IsPending() {
		return refs
	}
	count, _ := n.Children.Len(ctx)
	for i := range min(count, mostAssetParts) {
		part := n.Children.At(ctx, i)
		if add(&part); part.Name == "primPath" && len(refs) == 1 {
			prim, _ := part.Value.(model.Text)
			refs[0].Path = cmp.Or(string(prim), model.DefaultName)
		}
	}
	return refs
}

// An AssetFinder finds the files that the asset paths of a document name.
type AssetFinder struct {
	of      Target
	within  []string // the packages that the document's layer is in: members of the file, each in the one before
	layer   string   // its name in the last of them; "": it is the file
	members []string // of that package
}

// NewAssetFinder makes the finder of a document that was opened as t says.
func NewAssetFinder(ctx context.Context, doc *model.Document, t Target) (*AssetFinder, error) {
	f := &AssetFinder{of: t}
	levels := append(memberLevels(t.Inner), memberLevels(doc.First)...)
	switch {
	case t.File == "":
		return nil, errors.New("these bytes are of no file beside which others could be looked for")
	case len(levels) == 0:
		return f, nil
	}
	last := len(levels) - 1
	f.within, f.layer = levels[:last:last], levels[last]
	pkg := doc
	if inner := nested(f.within); inner != t.Inner {
		opened, err := OpenTarget(ctx, Target{File: t.File, Inner: inner, Offset: -1}, OpenOptions{})
		if err != nil {
			return nil, err
		}
		defer func() { _ = opened.Close() }() // it was only read
		pkg = opened
	}
	for _, name := range append([]string{pkg.First}, pkg.Members...) {
		if levels := memberLevels(name); len(levels) > 0 {
			f.members = append(f.members, levels[0])
		}
	}
	return f, nil
}

// memberLevels are the members that an inner path names, each in the one before: a, b and c of "a[b[c]]".
func memberLevels(inner string) (levels []string) {
	for inner != "" {
		outer, rest, ok := SplitMember(inner, func(string) bool { return false })
		if !ok {
			return append(levels, inner)
		}
		levels, inner = append(levels, outer), rest
	}
	return levels
}

// nested is the inner path of members each in the one before.
func nested(levels []string) (inner string) {
	for i := len(levels) - 1; i >= 0; i-- {
		if inner != "" {
			inner = "[" + inner + "]"
		}
		inner = levels[i] + inner
	}
	return inner
}

// Find finds the file that an asset path names: in the document's package, or beside the file. Where a renderer completes the
// path (<UDIM>, <attr>) it is any that fits. An error that is fs.ErrNotExist says that there is none; addresses are not looked for.
// Beside a file of a server it is that of its path, whether there is one or not.
func (f *AssetFinder) Find(asset string) (Target, error) {
	found := Target{Offset: -1}
	if strings.Contains(asset, "://") {
		return found, fmt.Errorf("%s is an address, which is not looked for", asset)
	}
	outer, inner, packed := SplitMember(asset, func(string) bool { return false })
	if packed {
		asset = outer
	}
	for _, name := range []string{path.Join(path.Dir(f.layer), asset), path.Clean(asset)} {
		if f.layer != "" && slices.Contains(f.members, name) {
			found.File = f.of.File
			found.Inner = nested(slices.Concat(f.within, []string{name}, memberLevels(inner)))
			return found, nil
		}
	}
	found.Inner = inner
	if far.IsAddress(f.of.File) {
		return found, f.farAway(&found, asset)
	}
	return found, f.onDisk(&found, asset)
}

// farAway finds a file beside one of a server.
func (f *AssetFinder) farAway(found *Target, asset string) error {
	if path.IsAbs(asset) {
		return fmt.Errorf("%s is a path of a machine, and the file that names it is on a server", asset)
	}
	if found.File = far.Sibling(f.of.File, asset); found.File == "" {
		return fmt.Errorf("%s cannot be looked for: the address of the file that names it is signed for that file alone", asset)
	}
	return nil
}

// onDisk finds a file beside one of this machine.
func (f *AssetFinder) onDisk(found *Target, asset string) error {
	if runtime.GOOS == "windows" {
		layer := f.of.File
		if abs, err := filepath.Abs(layer); err == nil {
			layer = abs
		}
		if why := offDisk(asset, layer); why != "" {
			return fmt.Errorf("%s is not looked for: %s", asset, why)
		}
	}
	found.File = filepath.FromSlash(asset)
	if !filepath.IsAbs(found.File) {
		found.File = filepath.Join(filepath.Dir(f.of.File), found.File)
	}
	name := found.File
	if i, j := strings.IndexByte(name, '<'), strings.IndexByte(name, '>'); i >= 0 && j > i {
		if all, err := filepath.Glob(literal.Replace(name[:i]) + "*" + literal.Replace(name[j+1:])); err == nil && len(all) > 0 {
			found.File = all[0]
			return nil
		}
	}
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("there is no file %s: %w", name, fs.ErrNotExist)
	}
	return nil
}

// literal makes a pattern of a path, which matches that alone: what a file names must not have whole disks gone through.
var literal = func() *strings.Replacer {
	special := []string{"*", "[*]", "?", "[?]", "[", "[[]"}
	if filepath.Separator != '\\' { // else it is no escape
		special = append(special, `\`, `\\`)
	}
	return strings.NewReplacer(special...)
}()

// offDisk says why Windows is not asked for a path that a file has; "": it may be. To ask for the path of a server is to log
// in there, which tells it the user's name and a hash of the password; only the server that the layer is on knows these anyway.
func offDisk(asset, layer string) string {
	asset = strings.ReplaceAll(asset, "/", `\`)
	server, onServer, device := uncServer(asset)
	own, _, _ := uncServer(strings.ReplaceAll(layer, "/", `\`))
	switch {
	case device:
		return "it is a path of devices"
	case onServer && (server == "" || !strings.EqualFold(server, own)):
		return "it is on the server " + server + ", and the file that names it is not"
	case len(asset) > 1 && asset[1] == ':' && (len(asset) == 2 || asset[2] != '\\'):
		return "it is relative to whatever folder is the current one of drive " + asset[:2]
	}
	for name := range strings.SplitSeq(asset, `\`) {
		base, _, _ := strings.Cut(name, ".")
		base, _, _ = strings.Cut(base, ":")
		if deviceName.MatchString(strings.TrimRight(base, " ")) {
			return name + " is the name of a device"
		}
	}
	return ""
}

// deviceName is a name that Windows has for a device in every folder, whatever extension follows it.
var deviceName = regexp.MustCompile(`^(?i:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|CLOCK\$|(COM|LPT)[0-9¹²³])$`)

// uncServer is the server of a path of Windows such as \\server\share\file, which may be written \\?\UNC\server\share\file;
// device: it is another path that begins with \\?\, \\.\ or \??\.
func uncServer(name string) (server string, onServer, device bool) {
	for _, prefix := range []string{`\\?\`, `\\.\`, `\??\`} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if len(rest) < 4 || !strings.EqualFold(rest[:4], `UNC\`) {
				return "", false, true
			}
			name = `\\` + rest[4:]
			break
		}
	}
	rest, onServer := strings.CutPrefix(name, `\\`)
	if onServer {
		server, _, _ = strings.Cut(rest, `\`)
	}
	return server, onServer, false
}
