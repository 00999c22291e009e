# Merges our mimeapps.list (the first file) into another (the second), or with mode=remove takes it out again. A line
# is "type=a.desktop;b.desktop;" below "[group]". What the other has for a type comes first, and stays.
BEGIN { FS = "="; us = "dev.cutaway.Cutaway.desktop;" }
{ sub(/\r$/, "") }
FILENAME == ARGV[1] && /^\[/ { group = $0; order[++groups] = group; next }
FILENAME == ARGV[1] { if (NF == 2) { ours[group, $1] = $2; types[group] = types[group] $1 "\n" } next }
/^\[/ { rest(); heading = now = $0; met[now]; if (mode == "add") keep(""); next }
NF == 2 && (now, $1) in ours {
	done[now, $1]
	if (mode == "add") keep($1 "=" with($2, ours[now, $1]))
	else if ($2 != ours[now, $1] && without($2) != "") keep($1 "=" without($2))
	next
}
{ keep($0) }
END {
	rest()
	for (i = 1; i <= groups && mode == "add"; i++)
		if (!(order[i] in met)) { heading = now = order[i]; rest() }
}

# keep writes a line, below the heading that it is the first of.
function keep(line) {
	if (heading != "") print heading
	heading = ""
	if (line != "") print line
}

# rest writes what the group that ends does not have of ours.
function rest(  n, list, i) {
	if (mode != "add") return
	n = split(types[now], list, "\n")
	for (i = 1; i < n; i++)
		if (!((now, list[i]) in done)) keep(list[i] "=" ours[now, list[i]])
}

# with is a list with us behind it, where ours has us.
function with(theirs, ours) {
	if (index(";" ours, ";" us) == 0 || index(";" theirs ";", ";" us) > 0) return theirs
	return theirs (theirs == "" || theirs ~ /;$/ ? "" : ";") us
}

# without is a list less us.
function without(theirs,  at) {
	if (theirs !~ /;$/) theirs = theirs ";"
	at = index(";" theirs, ";" us)
	return at == 0 ? theirs : substr(theirs, 1, at - 1) substr(theirs, at + length(us))
}
