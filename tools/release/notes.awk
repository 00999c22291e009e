# Prints what CHANGELOG.md says of a version; while it has no chapter of the version, what is unreleased.
# usage: awk -v version=1.2.3 -f notes.awk CHANGELOG.md
/^## / {
	name = $2
	gsub(/[][]/, "", name)
	next
}
{ text[name] = text[name] $0 "\n" }
END {
	if (!(version in text)) {
		print "CHANGELOG.md has no chapter of " version " yet: the notes are of what is unreleased." >"/dev/stderr"
		version = "Unreleased"
	}
	sub(/^\n+/, "", text[version])
	printf "%s", text[version]
}
