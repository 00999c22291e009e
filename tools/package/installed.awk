# Puts the programs of a mimeapps.list (the second file) first whose desktop entries are in the first file, one a line:
# xdg-mime looks at the first of them only.
BEGIN { FS = "=" }
FILENAME == ARGV[1] { have[$0]; next }
NF != 2 { print; next }
{
	n = split($2, list, ";")
	front = behind = ""
	for (i = 1; i < n; i++)
		if (list[i] in have) front = front list[i] ";"
		else behind = behind list[i] ";"
	print $1 "=" front behind
}
