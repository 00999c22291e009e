"""Asks usd-core which combinations of text it reads, and prints testdata/usda/matrix.txt.

    python3 matrix.py > ../../testdata/usda/matrix.txt

A block is a text with $row and $column, the columns, and of each row the row and a verdict a column: + for a text that
usd-core reads, - for one that it refuses. Rows are what usd-core's own registries list: fields of metadata and types of
values, and the words of the syntax.
"""

import json
import os
import sys
import tempfile

from pxr import Plug, Sdf, Tf, Usd

VALUES = [
    "0", "1", "-1", "1.5", "300", "3000000000", "1e20", "1e400", "inf", "-inf", "nan", "+1", "0x10", ".5", "5.",
    '""', '"s"', "'s'", '"a.b"', '"a:b"', '"a b"', '"1a"', '"cm"', '"é"', '"`${X}`"', '"\\x01"', '"""two\nlines"""', '"a" "b"',
    "@@", "@a@", "@@@a@b@@@", "@a\x01@", "@a@</A>", "@a@ (offset = 1)", "<>", "</>", "</A>", "<b>", "<../b>", "</A.b>", "<.b>",
    "</A{v=x}>", "</A{v=x}b>", "</A.b[/C].d>", "<a b>", "<//>",
    "true", "True", "no", "None", "AnimationBlock", "foo", "foo:bar", "foo::bar", "foo.bar", "é", "public", "private", "cm", "mod",
    "[]", "[1]", "[1,]", "[,]", "[1 2]", "[-1, 2.5]", '["a"]', '["a",]', '["a", "a"]', '["a", 1]', '["a.b"]', "[foo]", "[None]", "[@a@]",
    "[@a@, @a@]", "[</A>]", "[</A>, </A>]", "[</A>, </B>]", "[</A.b>]", "[<>]", "[[1]]", "[{}]", "[\n1,\n2\n]",
    "()", "(1)", "(1, 2)", "(1, 2,)", "(1, 2, 3)", "(1, 2, 3, 4)", '("a", "b")', "(1, None)", "((1, 2), (3, 4))",
    "((1, 0, 0), (0, 1, 0), (0, 0, 1))", "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))",
    "[(1, 2)]", "[(1, 2, 3)]", "[(1, 2, 3, 4)]", "[((1, 2), (3, 4))]", "[(1, 2), 3]",
    "{}", "{ int a = 1 }", '{ string a = "b" }', '{ string a = "b.c" }', "{ int a = None }", "{ int a = </A> }", '{ "a": "b" }', "{ 0: 1 }",
    "{ a = 1 }", "{ foo a = 1 }", "{ int[] a = [1] }", "{ dictionary a = {} }", '{ string "a b" = "c" }', "{ int a = 1 int b = 2 }",
    "{ int a = 1; int b = 2 }", "{ </A>: </B> }", "{ </A>: </B>, }", "{ </A>: <> }", "{ <A>: <B> }", "{ int a:b = 1 }",
    "edit []", "edit [append 1]", "1 2", "1;", "(1", "]", "",
]

# Words of the syntax, which are keywords somewhere.
WORDS = """add append prepend delete reorder class def over config connect custom customData default dictionary displayUnit doc
inherits kind nameChildren None none offset payload permission prefixSubstitutions suffixSubstitutions properties references
relocates rel rootPrims scale specializes subLayers symmetryArguments symmetryFunction timeSamples uniform varying variantSet
variantSets variants AnimationBlock spline bezier hermite curve pre post loop held linear sloped oscillate repeat reset edit write
insert erase minsize resize maxsize fill to at true false inf nan float token comment foo foo:bar foo::bar foo.bar _ é 1 -1 "foo" @a@
</A> ( ) [ ] { } = , ; . : & ::""".split()

# Places of a word in a layer.
PLACES = [
    "$row", "(\n$row\n)", "($row = 1)", "(prepend $row = 1)", "(doc = $row)", "(subLayers = [$row])", "(subLayers = [@a@ ($row = 1)])",
    "(subLayers = [@a@ (offset = $row)])", "(relocates = {$row: </B>})", "reorder $row = [\"a\"]", "reorder rootPrims = $row",
    "reorder rootPrims = [$row]", '$row "A" {}', '$row X "A" {}', 'def $row "A" {}', "def $row {}", 'def $row X "A" {}', 'def X.$row "A" {}',
    'def X::$row "A" {}', 'def "A" $row {}', 'def "A" {} $row', 'def "A" ($row) {}', 'def "A" ($row = 1) {}', 'def "A" ($row references = </B>) {}',
    'def "A" ($row references = None) {}', 'def "A" (references = $row) {}', 'def "A" (references = [$row]) {}', 'def "A" (payload = $row) {}',
    'def "A" (inherits = $row) {}', 'def "A" (variants = {$row a = "b"}) {}', 'def "A" (variants = {string $row = "b"}) {}',
    'def "A" (variants = {string a = $row}) {}', 'def "A" (variantSets = $row) {}', 'def "A" (customData = {$row a = 1}) {}',
    'def "A" (customData = {int $row = 1}) {}', 'def "A" (customData = {int a = $row}) {}', 'def "A" (permission = $row) {}',
    'def "A" (symmetryFunction = $row) {}', 'def "A" (prefixSubstitutions = {$row: "b"}) {}', 'def "A" (references = @a@ ($row = 1)) {}',
    'def "A" (references = @a@ (offset = $row)) {}', 'def "A" (references = @a@ (customData = $row)) {}', 'def "A" {\n$row\n}', 'def "A" {\n$row = 1\n}',
    'def "A" {\n$row b\n}', 'def "A" {\n$row b = 1\n}', 'def "A" {\n$row float b = 1\n}', 'def "A" {\n$row custom float b = 1\n}', 'def "A" {\ncustom $row b\n}',
    'def "A" {\nuniform $row b\n}', 'def "A" {\nfloat $row\n}', 'def "A" {\nfloat $row = 1\n}', 'def "A" {\nfloat a $row\n}', 'def "A" {\nfloat a = $row\n}',
    'def "A" {\nfloat a = 1 $row\n}', 'def "A" {\nfloat $row:b = 1\n}', 'def "A" {\nfloat a:$row = 1\n}', 'def "A" {\nfloat a.$row\n}', 'def "A" {\nfloat a.$row = 1\n}',
    'def "A" {\nfloat a.$row = {}\n}', 'def "A" {\nfloat a.$row = </B.c>\n}', 'def "A" {\n$row float a.connect = </B.c>\n}',
    'def "A" {\nfloat a.connect = $row\n}', 'def "A" {\nfloat a.connect = [$row]\n}', 'def "A" {\nfloat a.timeSamples = $row\n}',
    'def "A" {\nfloat a.timeSamples = {$row: 1}\n}', 'def "A" {\nfloat a.timeSamples = {1: $row}\n}', 'def "A" {\nfloat a.timeSamples = {1: 1} $row\n}',
    'def "A" {\nfloat a = 1 ($row)\n}', 'def "A" {\nfloat a = 1 ($row = 1)\n}', 'def "A" {\nfloat a = 1 (displayUnit = $row)\n}', 'def "A" {\nfloat[$row] a = [1]\n}',
    'def "A" {\nfloat[] a = [$row]\n}', 'def "A" {\nfloat[] a = [1 $row]\n}', 'def "A" {\nfloat[] a = [1, $row]\n}', 'def "A" {\nfloat2 a = (1, $row)\n}',
    'def "A" {\nfloat[] a = $row [append 1]\n}', 'def "A" {\nfloat[] a = edit [$row]\n}', 'def "A" {\nfloat[] a = edit [$row 1]\n}',
    'def "A" {\nfloat[] a = edit [append $row]\n}', 'def "A" {\nfloat[] a = edit [write 1 $row [0]]\n}', 'def "A" {\nfloat[] a = edit [insert 1 $row [0]]\n}',
    'def "A" {\nfloat[] a = edit [resize 1 $row 2]\n}', 'def "A" {\ndouble a.spline = {$row}\n}', 'def "A" {\ndouble a.spline = {$row,}\n}',
    'def "A" {\ndouble a.spline = {$row: 1}\n}', 'def "A" {\ndouble a.spline = {1: $row}\n}', 'def "A" {\ndouble a.spline = {1: 1; $row}\n}',
    'def "A" {\ndouble a.spline = {1: 1; pre ($row)}\n}', 'def "A" {\ndouble a.spline = {1: 1; post $row}\n}', 'def "A" {\ndouble a.spline = {1: 1; post $row (1, 2)}\n}',
    'def "A" {\ndouble a.spline = {1: 1; post curve ($row)}\n}', 'def "A" {\ndouble a.spline = {pre: $row}\n}', 'def "A" {\ndouble a.spline = {post: $row,}\n}',
    'def "A" {\ndouble a.spline = {pre: $row(1),}\n}', 'def "A" {\ndouble a.spline = {pre: loop $row}\n}', 'def "A" {\ndouble a.spline = {$row: held,}\n}',
    'def "A" {\ndouble a.spline = {loop: ($row, 1, 1, 1, 1)}\n}', 'def "A" {\nrel $row\n}', 'def "A" {\nrel $row = </B>\n}', 'def "A" {\n$row rel a = </B>\n}',
    'def "A" {\nrel a $row\n}', 'def "A" {\nrel a = $row\n}', 'def "A" {\nrel a = [$row]\n}', 'def "A" {\nrel a = </B> $row\n}', 'def "A" {\nrel a.$row = </B>\n}',
    'def "A" {\nrel a.$row\n}', 'def "A" {\nrel a = </B> ($row)\n}', 'def "A" {\nreorder $row = ["a"]\n}', 'def "A" {\nreorder properties = $row\n}',
    'def "A" {\n$row "v" = {}\n}', 'def "A" {\nvariantSet $row = {}\n}', 'def "A" {\nvariantSet "v" $row {}\n}', 'def "A" {\nvariantSet "v" = $row\n}',
    'def "A" {\nvariantSet "v" = {$row}\n}', 'def "A" {\nvariantSet "v" = {$row {}}\n}', 'def "A" {\nvariantSet "v" = {"x" $row {}}\n}',
    'def "A" {\nvariantSet "v" = {"x" ($row) {}}\n}', 'def "A" {\nvariantSet "v" = {"x" {\n$row\n}}\n}', 'def "A" {\nvariantSet "v" = {"x" {}} $row\n}',
]

NAMES = ["", "a", "A_1", "_", "1a", "é", "aé", "日", "a b", "a.b", "a:b", "a::b", ":a", "a:", "a-b", "-a", "-", "|", "a|b", ".", ".a", "a/b", "/a", "a[b]",
         "a{b}", "`x`", "`${X}`", "`", "a`", "$a", "a\\tb", "a\\n", "\\x01", "\\0", " a", "a ", "class", "None", "rel", "float", "..", "a\x7f", "😀", "²", "a·",
         "a\u200d", "\u00ad", "default", "%", "a,b", "\\\"", "'"]

NAMED = [
    'def "$row" {}', "def '$row' {}", 'def """$row""" {}', 'def "A" {\nfloat $row = 1\n}', 'def "A" {\nfloat x:$row = 1\n}', 'def "A" {\nrel $row\n}', 'def $row "A" {}',
    'def "A" {\n$row a\n}', 'def "A" {\n$row[] a = []\n}', 'def "A" {\nvariantSet "$row" = {}\n}', 'def "A" {\nvariantSet "v" = {"$row" {}}\n}', 'def "A" (variantSets = "$row") {}',
    'def "A" (prepend variantSets = ["$row"]) {}', 'def "A" (delete variantSets = ["$row"]) {}', 'def "A" (variants = {string a = "$row"}) {}',
    'def "A" (variants = {string "$row" = "a"}) {}', 'def "A" (variants = {string $row = "a"}) {}', 'def "A" (customData = {int "$row" = 1}) {}',
    'def "A" (customData = {int $row = 1}) {}', 'def "A" ($row = 1) {}', '(\n$row = 1\n)', '(defaultPrim = "$row")', 'reorder rootPrims = ["$row"]',
    'def "A" {\nreorder nameChildren = ["$row"]\n}', 'def "A" {\nreorder properties = ["$row"]\n}', 'def "A" {\nrel a = <$row>\n}', 'def "A" {\nrel a = </$row>\n}',
    'def "A" {\nrel a = </B/$row>\n}', 'def "A" {\nrel a = </B.$row>\n}', 'def "A" {\nrel a = </B{v=$row}>\n}', 'def "A" {\nrel a = </B{$row=v}>\n}',
    'def "A" {\nrel a = </B{v=$row}C>\n}', 'def "A" {\nfloat a.connect = </$row>\n}', 'def "A" {\nfloat a.connect = </B.$row>\n}', 'def "A" {\nfloat a = <$row>\n}',
    'def "A" (references = </$row>) {}', 'def "A" (references = <$row>) {}', 'def "A" (references = @a@</B/$row>) {}', 'def "A" (inherits = </$row>) {}',
    'def "A" (inherits = <$row>) {}', 'def "A" (inherits = </B.$row>) {}', 'def "A" (payload = @a@<$row>) {}', '(relocates = {</A/$row>: </B>})',
    '(relocates = {</A>: </$row>})', '(relocates = {<$row>: </B>})', 'def "A" (references = @$row@) {}', '(subLayers = [@$row@])', 'def "A" {\nasset a = @$row@\n}',
    'def "A" {\nasset a = @@@$row@@@\n}', 'def "A" {\nasset[] a = [@$row@]\n}', 'def "A" {\nasset a = "$row"\n}', 'def "A" {\nstring a = "$row"\n}',
    'def "A" (kind = "$row") {}', 'def "A" (prepend apiSchemas = ["$row"]) {}', 'def "A" {\npathExpression a = "$row"\n}', 'def "A" (symmetryFunction = $row) {}',
    'def "A" (foo = $row) {}', 'def "A" {\nfloat a (displayUnit = $row)\n}', 'def "A" {\nfloat a (colorSpace = "$row")\n}', '#$row',
]

SEPARATORS = ["\n", "\n,", ",\n", " ,", " ", "", ";", ";\n", "\n;", ";;", " ; ", ",", "\n\n", "\t", "\r", "\r\n", "#c\n", " /* c */ ", "/*\n*/", "// c\n", "\x0b", "\x0c", "\xa0",
              ".", ":", "\\\n"]

SEPARATED = [
    "($row)", '(doc = "a"$rowkind = "b")', '("a"$row)', '("a"$rowdoc = "b")', '(doc$row= "a")', '(doc =$row"a")', "(subLayers = [@a@$row@b@])",
    "(subLayers = [@a@$row(offset = 1)])", "(subLayers = [@a@ (offset = 1$rowscale = 2)])", "(relocates = {</A>$row: </B>})",
    "(relocates = {</A>:$row</B>})", "(relocates = {</A>: </B>$row</C>: </D>})", 'def "A" {}$rowdef "B" {}', "reorder rootPrims = [\"a\"]$rowdef \"B\" {}",
    'reorder rootPrims = ["a"$row"b"]', 'reorder$rowrootPrims = ["a"]', 'def$row"A" {}', 'def$rowX "A" {}', 'def X$row"A" {}', 'def X$row.Y "A" {}',
    'def "A"$row{}', 'def "A"$row(doc = "a") {}', 'def "A" (doc = "a")$row{}', 'def "A" (doc = "a"$row) {}', 'def "A" ($rowdoc = "a") {}',
    'def "A" (doc = "a"$rowactive = true) {}', 'def "A" (prepend$rowreferences = @a@) {}', 'def "A" (references = @a@$row</B>) {}',
    'def "A" (references = @a@$row(offset = 1)) {}', 'def "A" (references = @a@</B>$row(offset = 1)) {}', 'def "A" (references = @a@ ($rowoffset = 1)) {}',
    'def "A" (references = @a@ (offset = 1$row)) {}', 'def "A" (references = @a@ (offset = 1$rowscale = 2)) {}', 'def "A" (references = [$row@a@]) {}',
    'def "A" (references = [@a@$row]) {}', 'def "A" (references = [@a@$row@b@]) {}', 'def "A" (references =$row[@a@]) {}',
    'def "A" (customData = {$row}) {}', 'def "A" (customData = {int a = 1$row}) {}', 'def "A" (customData = {$rowint a = 1}) {}',
    'def "A" (customData = {int a = 1$rowint b = 2}) {}', 'def "A" (customData = {int$rowa = 1}) {}', 'def "A" (customData = {int a$row= 1}) {}',
    'def "A" (customData = {int a =$row1}) {}', 'def "A" (customData = {int[$row] a = []}) {}', 'def "A" (customData =$row{}) {}',
    'def "A" (variants = {string a = "b"$rowstring c = "d"}) {}', 'def "A" (variants = {$row}) {}', 'def "A" (prefixSubstitutions = {"a": "b"$row"c": "d"}) {}',
    'def "A" (prefixSubstitutions = {"a"$row: "b"}) {}', 'def "A" (prefixSubstitutions = {$row}) {}', 'def "A" (foo = [1$row2]) {}', 'def "A" (foo = ($row1, 2)) {}',
    'def "A" {$row}', 'def "A" {$rowfloat a\n}', 'def "A" {float a$row}', 'def "A" {def "B" {}$row}', 'def "A" {float a = 1 (doc = "b")$row}', 'def "A" {rel a = </B>$row}', 'def "A" {variantSet "v" = {}$row}', 'def "A" {variantSet "v" = {"x" {float a$row}}\n}', 'def "A" {\nfloat a$rowfloat b\n}', 'def "A" {\nfloat a = 1$rowfloat b = 2\n}',
    'def "A" {\nfloat a = 1$rowdef "B" {}\n}', 'def "A" {\ndef "B" {}$rowfloat a\n}', 'def "A" {\ndef "B" {}$row\n}', 'def "A" {\nfloat$rowa = 1\n}',
    'def "A" {\nfloat a$row= 1\n}', 'def "A" {\nfloat a =$row1\n}', 'def "A" {\nfloat a = 1$row(doc = "b")\n}', 'def "A" {\nfloat a$row(doc = "b")\n}',
    'def "A" {\nfloat a = 1 (doc = "b"$row)\n}', 'def "A" {\nfloat a = 1 (doc = "b")$rowfloat b\n}', 'def "A" {\nfloat a$row.connect = </B.c>\n}',
    'def "A" {\nfloat a.$rowconnect = </B.c>\n}', 'def "A" {\nfloat a.connect =$row</B.c>\n}', 'def "A" {\nfloat a.connect = [</B.c>$row</B.d>]\n}',
    'def "A" {\ncustom$rowfloat a\n}', 'def "A" {\nfloat$row[] a\n}', 'def "A" {\nfloat[$row] a\n}', 'def "A" {\nfloat[]$rowa\n}', 'def "A" {\nfloat[] a = [$row1]\n}',
    'def "A" {\nfloat[] a = [1$row]\n}', 'def "A" {\nfloat[] a = [1$row2]\n}', 'def "A" {\nfloat[] a = [1,$row2]\n}', 'def "A" {\nfloat2 a = ($row1, 2)\n}',
    'def "A" {\nfloat2 a = (1$row2)\n}', 'def "A" {\nfloat2 a = (1, 2$row)\n}', 'def "A" {\nfloat a.timeSamples = {$row}\n}', 'def "A" {\nfloat a.timeSamples = {1$row: 1}\n}',
    'def "A" {\nfloat a.timeSamples = {1:$row1}\n}', 'def "A" {\nfloat a.timeSamples = {1: 1$row2: 2}\n}', 'def "A" {\nfloat a.timeSamples = {1: 1$row}\n}',
    'def "A" {\nfloat a.timeSamples =$row{}\n}', 'def "A" {\ndouble a.spline = {$row}\n}', 'def "A" {\ndouble a.spline = {bezier$row1: 1}\n}',
    'def "A" {\ndouble a.spline = {1: 1$row2: 2}\n}', 'def "A" {\ndouble a.spline = {1: 1$rowpost held}\n}', 'def "A" {\ndouble a.spline = {pre:$rowheld,}\n}',
    'def "A" {\ndouble a.spline = {1:$row1}\n}', 'def "A" {\ndouble a.spline = {1: 1$row}\n}', 'def "A" {\nfloat[] a = edit$row[]\n}', 'def "A" {\nfloat[] a = edit [$row]\n}',
    'def "A" {\nfloat[] a = edit [append 1$rowappend 2]\n}', 'def "A" {\nfloat[] a = edit [append$row1]\n}', 'def "A" {\nrel a$row= </B>\n}',
    'def "A" {\nrel$rowa\n}', 'def "A" {\nrel a = [</B>$row</C>]\n}', 'def "A" {\nrel a = [$row</B>]\n}', 'def "A" {\nrel a = </B>$row(doc = "b")\n}',
    'def "A" {\nreorder properties =$row["a"]\n}', 'def "A" {\nreorder properties = ["a"]$rowfloat a\n}', 'def "A" {\nvariantSet$row"v" = {}\n}',
    'def "A" {\nvariantSet "v"$row= {}\n}', 'def "A" {\nvariantSet "v" =$row{}\n}', 'def "A" {\nvariantSet "v" = {$row}\n}', 'def "A" {\nvariantSet "v" = {$row"x" {}}\n}',
    'def "A" {\nvariantSet "v" = {"x"$row{}}\n}', 'def "A" {\nvariantSet "v" = {"x" {}$row}\n}', 'def "A" {\nvariantSet "v" = {"x" {}$row"y" {}}\n}',
    'def "A" {\nvariantSet "v" = {"x" {}}$rowfloat a\n}',
]

STATEMENTS = ["float a", "float a = 1", "float a = None", "float a ()", 'float a = 1 (doc = "b")', "float a.connect = </B.c>", "float a.connect = None",
              "float a.connect = []", "float a.connect = [</B.c>, </B.c>]", "float a.connect", 'float a.connect = </B.c> (doc = "b")', "float a.connect = </B>",
              "float a.timeSamples = {}", "float a.timeSamples = {1: 1}", "float a.timeSamples = None", 'float a.timeSamples = {} (doc = "b")', "float a.timeSamples",
              "double a.spline = {}", "double a.spline = {1: 1}", "double a.spline = {} (doc = \"b\")", "float a.spline", "float a.default = 1", "foo a", "foo a = 1",
              "foo[] a = [1]", "rel a", "rel a = </B>", "rel a = None", "rel a = []", "rel a = [</B>, </B>]", "rel a = @b@", "rel a ()", 'rel a = </B> (doc = "b")',
              "rel a.default = </B>", "rel a.default = None", "rel a.default", "rel a.timeSamples = {}", "rel a[</B>]", "float[] a = [1]", "float[] a = edit [append 1]",
              "float[] a.timeSamples = {1: edit [append 1]}", "dictionary a = {}", "dictionary a", "opaque a", "opaque a = 1", "group a", "float a.mapper", 'def "B" {}',
              'variantSet "v" = {}', 'reorder properties = ["a"]', "reorder nameChildren = []"]

BEFORE = ["", "custom", "uniform", "varying", "config", "custom uniform", "custom varying", "custom config", "uniform custom", "uniform varying", "add", "append",
          "prepend", "delete", "reorder", "add custom", "prepend custom uniform", "append varying", "custom add", "float a;", "rel a;", "int a;", "uniform float a;",
          "custom float a;", "rel b;", "float a = 1;", "double a;", "foo a;"]

SPLINE = ["bezier", "hermite", "pre: none", "pre: held", "pre: linear", "pre: sloped(1)", "pre: sloped", "pre: loop repeat", "pre: loop reset", "pre: loop oscillate",
          "pre: loop", "pre: curve", "pre: held(1)", "pre: loop repeat(1)", "post: held", "post: sloped(1, 2)", "post : held", "loop: (1, 2, 3, 4, 5)", "loop: (1, 2, 3)",
          "loop: (5, 1, 0, 0, 1)", "loop: (1, 2, 1.5, 0, 1)", "1: 1", "1: 2", "2: 1 & 2", "1: 1 & 2 & 3", "0: inf", "inf: 1", "nan: 1", "1e400: 1", '1: "a"', "1: None", "1: (1)",
          "1: 1; pre (1, 2)", "1: 1; pre (1)", "1: 1; pre ()", "1: 1; pre (1, 2, 3)", "1: 1; pre", "1: 1; pre held", "1: 1; post held", "1: 1; post curve (1, 2)",
          "1: 1; post linear (1)", "1: 1; post (1, 2)", "1: 1; post", "1: 1; post none; pre (1, 2)", "1: 1; post foo", "1: 1; pre (custom)", "1: 1; pre (1, 2, autoEase)",
          "1: 1; pre (autoEase)", "1: 1; pre (foo)", "1: 1; post curve (custom 1, 2)", "1: 1; {}", "1: 1; { int a = 1 }", "1: 1; {}; pre (1, 2)", "1: 1; {}; {}",
          "1: 1; pre (1, 2); pre (1, 2)", "1: 1;", "1: 1; pre (-1, 2)", "1: 1; post curve (inf, 1)", "1: 1; post curve (1, nan)", "1: 300000; pre (1, 300000)", "foo", "1", ""]

EDITS = ["", "append 1", "prepend 1", "append [0]", "prepend [0]", "append [-1]", "append", "append 1 2", 'append "a"', "append (1, 2)", "append None", "append 1.5", "append []",
         "insert 1 at [0]", "insert [1] at [0]", "insert 1 at 0", "insert 1 to [0]", "insert 1", "write 1 to [0]", "write [1] to [0]", "write 1 at [0]", "write 1 to [-1]",
         "write 1 to [1.5]", "write 1 to []", "erase [0]", "erase 0", "erase [-5]", "erase 1 to [0]", "minsize 1", "minsize -1", "minsize 1.5", "minsize [1]", "resize 1", "resize 1 fill 2",
         "resize 1 fill [2]", "resize 1 fill", "maxsize 1", "maxsize 1 fill 2", "minsize 1 fill 2", "foo 1", "append 1;", ";", "append 1,", "append 1; erase [0]", "append 1\nappend 2"]

LISTS = ["references", "payload", "inherits", "specializes", "variantSets", "apiSchemas", "clipSets", "inactiveIds", "inheritPaths", "variantSetNames", "foo", "kind", "customData"]


def fields():
    """The names of all fields: those that usd-core's classes name, that specs may have, that plugins add, and text's own."""
    layer = Sdf.Layer.CreateAnonymous()
    prim = Sdf.CreatePrimInLayer(layer, "/A")
    specs = [layer.pseudoRoot, prim, Sdf.AttributeSpec(prim, "a", Sdf.ValueTypeNames.Float), Sdf.RelationshipSpec(prim, "r")]
    names = {key for spec in specs for key in spec.GetMetaDataInfoKeys()}
    for of in vars(Sdf).values():
        if isinstance(of, type):
            names |= {getattr(of, key) for key in dir(of) if key.endswith("Key") and isinstance(getattr(of, key), str)}
    for plugin in Plug.Registry().GetAllPlugins():
        names |= set(plugin.metadata.get("SdfMetadata", {}))
    names |= set("doc inherits relocates subLayers subLayerOffsets variants variantSets primChildren propertyChildren variantChildren clips clipSets".split())
    names |= set("variantSetChildren connectionChildren targetChildren mapperChildren timeSamples spline variability customLayerData foo rel def".split())
    return sorted(names)


def types():
    """The names of all types of values, old ones too, and some that are none."""
    names = {str(getattr(Sdf.ValueTypeNames, name)) for name in dir(Sdf.ValueTypeNames) if name[0].isupper() and name != "Find"}
    names = {name.removesuffix("[]") for name in names}
    old = "Color ColorFloat EdgeIndex FaceIndex Frame Matrix2d Matrix3d Matrix4d Normal NormalFloat Point PointFloat PointIndex Quatd Quatf Quath Transform"
    names |= set(old.split()) | {"Vec%d%s" % (n, c) for n in (2, 3, 4) for c in "dfhi"} | {"Vector", "VectorFloat"}
    names |= {"foo", "foo::bar", "foo:bar", "dictionary", "rel", "String", "Path", "path", "uint2"}
    # Of types of one shape, one with a role is enough.
    spare = {name for name in names if name[:-2] in ("normal", "vector", "texCoord", "color") and name[-1] != "f"} | {"Normal", "Vector", "NormalFloat", "VectorFloat"}
    return sorted(names - spare)


def blocks():
    """Each block: its text, rows and columns."""
    names = fields()
    for text in ("(\n    $row = $column\n)\n", 'def "A" (\n    $row = $column\n)\n{\n}\n', 'def "A"\n{\n    float a = 1 (\n        $row = $column\n    )\n}\n',
                 'def "A"\n{\n    rel a (\n        $row = $column\n    )\n}\n'):
        yield text, names, VALUES
    yield ('def "A"\n{\n    variantSet "v" = {\n        "x" (\n            $row = $column\n        ) {\n        }\n    }\n}\n',
           [name for name in names if name[0] in "cikprsv"], VALUES)
    rows = [op + " " + name for op in ("add", "append", "prepend", "delete", "reorder") for name in LISTS]
    yield 'def "A" (\n    $row = $column\n)\n{\n}\n', rows, VALUES
    every = [name + array for name in types() for array in ("", "[]")]
    yield 'def "A"\n{\n    $row a = $column\n}\n', every, VALUES
    yield 'def "A"\n{\n    $row a.timeSamples = {\n        0: $column,\n    }\n}\n', every, VALUES
    few = [name for i, name in enumerate(every) if i % 5 == 0]
    yield 'def "A"\n{\n    $row a.timeSamples = {\n        0: $column, 1: $column\n    }\n}\n', few, VALUES
    yield 'def "A" (\n    customData = {\n        $row a = $column\n    }\n)\n{\n}\n', every, VALUES
    yield "$column\n", WORDS, PLACES
    yield "$column\n", NAMES, NAMED
    yield "$column\n", SEPARATORS, SEPARATED
    yield 'def "A"\n{\n    $row $column\n}\n', BEFORE, STATEMENTS
    yield 'def "A"\n{\n    double a.spline = {\n        $row, $column\n    }\n}\n', SPLINE, SPLINE
    yield 'def "A"\n{\n    $row a.spline = {\n        $column\n    }\n}\n', [name for name in every if not name.endswith("[]")], SPLINE[20:40]
    yield 'def "A"\n{\n    $row[] a = edit [$column]\n}\n', ["int", "float", "string", "asset", "float2", "matrix2d", "foo", "bool", "opaque"], EDITS
    yield 'def "A" (\n    $row\n)\n{\n}\n', ["references = @a@ ($column)", "references = @a@</B> ($column)", "references = </B> ($column)", "payload = @a@ ($column)",
                                       "references = [@a@ ($column), @a@]"], [
        word + " = " + value for word in ("offset", "scale", "customData", "foo") for value in VALUES[::3]]
    yield '(\n    subLayers = [@a@ ($column)]\n)\n', ["x"], [word + " = " + value for word in ("offset", "scale", "customData", "foo") for value in VALUES[::3]]


def reads(text, name):
    with open(name, "wb") as file:
        file.write(text.encode())
    try:
        return bool(Sdf.Layer.OpenAsAnonymous(name))
    except Tf.ErrorException:
        return False


def quote(text):
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f").replace("\u200d", "\\u200d").replace("\xad", "\\u00ad").replace("\xa0", "\\u00a0")


def main():
    print("# Made by internal/verdicts/matrix.py from usd-core %d.%02d: texts, and whether it reads them (+) or not (-)." % Usd.GetVersion()[1:])
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as null:
        os.dup2(null.fileno(), 2)
        name = os.path.join(folder, "x.usda")
        for text, rows, columns in blocks():
            print("text", quote(text))
            for column in columns:
                print("column", quote(column))
            for row in rows:
                whole = (text.replace("$column", column).replace("$row", row) for column in columns)
                print("row", quote(row), "".join("+" if reads("#usda 1.0\n" + t, name) else "-" for t in whole))
                sys.stdout.flush()


if __name__ == "__main__":
    main()
