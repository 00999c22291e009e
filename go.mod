module cutaway

go 1.26
