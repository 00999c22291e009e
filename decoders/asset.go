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
	"strconv"
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

// An AssetFinder finds the files that the asset paths of a layer name.
type AssetFinder struct {
	of     Target
	doc    *model.Document        // of that; nil: no package is looked into
	within []string               // the packages that the layer is in: members of the file, each in the one before
	layer  string                 // its name in the last of them; "": it is the file
	known  map[Target]packedFiles // the packages that were looked into
}

// NewAssetFinder makes the finder of the first layer of a document that was opened as t says, which stays open as long.
func NewAssetFinder(doc *model.Document, t Target) (*AssetFinder, error) {
	if t.File == "" {
		return nil, errors.New("these bytes are of no file beside which others could be looked for")
	}
	t.Path, t.Offset = "", -1
	f := &AssetFinder{of: t, doc: doc, known: map[Target]packedFiles{}}
	return f.In(t.Inner, doc.First), nil
}

// In is the finder of a layer: the first of the member inner of the file.
func (f *AssetFinder) In(inner, first string) *AssetFinder {
	in := *f
	if levels := append(memberLevels(inner), memberLevels(first)...); len(levels) > 0 {
		last := len(levels) - 1
		in.within, in.layer = levels[:last:last], levels[last]
	}
	return &in
}

// memberLevels are the members that an inner path names, each in the one before: a, b and c of "a[b[c]]".
func memberLevels(inner string) (levels []string) {
	for inner != "" {
		outer, rest, ok := splitAsset(inner)
		if !ok {
			return append(levels, inner)
		}
		levels, inner = append(levels, outer), rest
	}
	return levels
}

// splitAsset splits a path at its first bracket.
func splitAsset(asset string) (outer, inner string, ok bool) {
	return SplitMember(asset, func(string) bool { return false })
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

// Find finds the files that an asset path names, as usd-core does: beside the layer; of a layer in a package in that, and where the
// path is a search path, also beside the default layer of the package. That is one file, or those that fit where a renderer
// completes the path (<UDIM>, <attr>). An error that is fs.ErrNotExist says that there is none; addresses are not looked for.
// Beside a file of a server it is that of its path, whether there is one or not. A search path that a package does not hold
// is looked for beside the package, where readers find it that run there.
func (f *AssetFinder) Find(ctx context.Context, asset string) ([]Target, error) {
	switch {
	case strings.Contains(asset, "://"):
		return nil, fmt.Errorf("%s is an address, which is not looked for", asset)
	case strings.HasPrefix(asset, "`"):
		return nil, fmt.Errorf("%s is an expression, which depends on the stage", asset)
	}
	asset, _, _ = strings.Cut(asset, ":SDF_FORMAT_ARGS:")
	outer, inner, packed := splitAsset(asset)
	if !packed {
		outer = asset
	}
	levels := memberLevels(inner)
	if f.layer != "" && !path.IsAbs(outer) {
		found, err := f.inPackage(ctx, outer, levels)
		if err != nil || len(found) > 0 {
			return found, err
		}
		if !isSearchPath(outer) {
			return nil, fmt.Errorf("there is no file %s in the package: %w", asset, fs.ErrNotExist)
		}
	}
	files, err := f.outside(outer)
	if err != nil {
		return nil, err
	}
	var found []Target
	for _, file := range files {
		there, err := f.has(ctx, file, nil, levels)
		if err != nil {
			return nil, err
		}
		if there {
			found = append(found, Target{File: file, Inner: inner, Offset: -1})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no %s in %s: %w", inner, outer, fs.ErrNotExist)
	}
	return found, nil
}

// isSearchPath reports whether a path is not only looked for beside what names it.
func isSearchPath(asset string) bool {
	slashes := strings.ReplaceAll(asset, `\`, "/")
	return !path.IsAbs(slashes) && !strings.HasPrefix(slashes, "./") && !strings.HasPrefix(slashes, "../")
}

// inPackage finds the members of the layer's package, and what levels name in them.
func (f *AssetFinder) inPackage(ctx context.Context, asset string, levels []string) ([]Target, error) {
	found, err := f.beside(ctx, f.within, f.layer, asset, levels)
	if err != nil || len(found) > 0 || !isSearchPath(asset) {
		return found, err
	}
	of, err := f.packed(ctx, f.of.File, f.within)
	if err != nil || len(of.first) == 0 {
		return nil, err
	}
	last := len(of.first) - 1
	return f.beside(ctx, slices.Concat(f.within, of.first[:last]), of.first[last], asset, levels)
}

// beside finds the members of a package beside one of them.
func (f *AssetFinder) beside(ctx context.Context, pkg []string, member, asset string, levels []string) (found []Target, err error) {
	of, err := f.packed(ctx, f.of.File, pkg)
	if err != nil {
		return nil, err
	}
	fits := fitting(path.Join(path.Dir(member), asset))
	for _, name := range of.members {
		if !fits(name) {
			continue
		}
		whole := slices.Concat(pkg, []string{name}, levels)
		there, err := f.has(ctx, f.of.File, whole[:len(pkg)+1], levels)
		if err != nil {
			return nil, err
		}
		if there {
			found = append(found, Target{File: f.of.File, Inner: nested(whole), Offset: -1})
		}
	}
	return found, nil
}

// has reports whether levels name a member in a package, which is one of a file.
func (f *AssetFinder) has(ctx context.Context, file string, pkg, levels []string) (bool, error) {
	for i, name := range levels {
		of, err := f.packed(ctx, file, slices.Concat(pkg, levels[:i]))
		if err != nil || !slices.Contains(of.members, name) {
			return false, err
		}
	}
	return true, nil
}

// packedFiles are the members of a package.
type packedFiles struct {
	members []string
	first   []string // the default layer: a member, or one of a package that comes first
}

// packed lists the members of a package; none of what is no package.
func (f *AssetFinder) packed(ctx context.Context, file string, levels []string) (packedFiles, error) {
	pkg := Target{File: file, Inner: nested(levels), Offset: -1}
	if known, ok := f.known[pkg]; ok {
		return known, nil
	}
	doc, done, err := f.open(ctx, pkg)
	switch {
	case ctx.Err() != nil:
		return packedFiles{}, ctx.Err()
	case err != nil && far.IsAddress(file) && !errors.Is(err, fs.ErrNotExist):
		return packedFiles{}, err // the server may have it
	case err != nil:
		f.known[pkg] = packedFiles{}
		return packedFiles{}, nil
	}
	defer done()
	of := packedFiles{first: memberLevels(doc.First)}
	for _, name := range append([]string{doc.First}, doc.Members...) {
		if levels := memberLevels(name); len(levels) > 0 && !slices.Contains(of.members, levels[0]) {
			of.members = append(of.members, levels[0])
		}
	}
	f.known[pkg] = of
	return of, nil
}

// open opens a file or a member of one, through the document where it is in that. done closes what was opened.
func (f *AssetFinder) open(ctx context.Context, t Target) (doc *model.Document, done func(), err error) {
	own, levels := memberLevels(f.of.Inner), memberLevels(t.Inner)
	switch {
	case f.doc == nil || t.File != f.of.File || len(levels) < len(own) || !slices.Equal(levels[:len(own)], own):
		doc, err = OpenTarget(ctx, t, OpenOptions{})
	case len(levels) == len(own):
		return f.doc, func() {}, nil
	default:
		doc, err = f.doc.OpenMember(ctx, nested(levels[len(own):]))
	}
	return doc, func() { _ = doc.Close() }, err // it was only read
}

// fitting tells the names that a path stands for where a renderer completes it: by the number of a tile, or by anything.
func fitting(name string) func(string) bool {
	i, j := strings.IndexByte(name, '<'), strings.IndexByte(name, '>')
	if i < 0 || j < i {
		return func(s string) bool { return s == name }
	}
	before, token, after := name[:i], name[i:j+1], name[j+1:]
	return func(s string) bool {
		s, begins := strings.CutPrefix(s, before)
		s, ends := strings.CutSuffix(s, after)
		return begins && ends && s != "" && !strings.Contains(s, "/") && (token != "<UDIM>" || isTile(s))
	}
}

// isTile reports whether usd-core looks for a tile of that number.
func isTile(number string) bool {
	const first, last = 1001, 1100
	n, err := strconv.Atoi(number)
	return err == nil && len(number) == 4 && n >= first && n <= last
}

// outside finds files that are no members.
func (f *AssetFinder) outside(asset string) ([]string, error) {
	if far.IsAddress(f.of.File) {
		file, err := f.farAway(asset)
		return []string{file}, err
	}
	return f.onDisk(asset)
}

// farAway finds a file beside one of a server.
func (f *AssetFinder) farAway(asset string) (string, error) {
	switch {
	case path.IsAbs(asset):
		return "", fmt.Errorf("%s is a path of a machine, and the file that names it is on a server", asset)
	case strings.Contains(asset, "<"):
		return "", fmt.Errorf("%s stands for many files, and a server does not list what it has", asset)
	}
	file := far.Sibling(f.of.File, asset)
	if file == "" {
		return "", fmt.Errorf("%s cannot be looked for: the address of the file that names it is signed for that file alone", asset)
	}
	return file, nil
}

// onDisk finds files beside one of this machine.
func (f *AssetFinder) onDisk(asset string) ([]string, error) {
	if runtime.GOOS == "windows" {
		layer := f.of.File
		if abs, err := filepath.Abs(layer); err == nil {
			layer = abs
		}
		if why := offDisk(asset, layer); why != "" {
			return nil, fmt.Errorf("%s is not looked for: %s", asset, why)
		}
	}
	file := filepath.FromSlash(asset)
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(f.of.File), file)
	}
	if i, j := strings.IndexByte(file, '<'), strings.IndexByte(file, '>'); i >= 0 && j > i {
		all, err := filepath.Glob(literal.Replace(file[:i]) + "*" + literal.Replace(file[j+1:]))
		fits := fitting(filepath.ToSlash(file))
		all = slices.DeleteFunc(all, func(name string) bool { return !fits(filepath.ToSlash(name)) })
		if err == nil && len(all) > 0 {
			return all, nil
		}
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("there is no file %s: %w", file, fs.ErrNotExist)
	}
	return []string{file}, nil
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
