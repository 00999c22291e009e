// Package question is what is asked for by a file dialog. It links nothing, unlike what shows the dialog.
package question

// What a Question asks for.
const (
	File   = "file"
	Folder = "folder"
	Save   = "save" // the name of a file to be written; where there is one, the dialog asks whether it is to be replaced
)

// Question is what is asked for. It travels as JSON to the program that shows the dialog.
type Question struct {
	What  string  `json:"what"`
	Title string  `json:"title"`
	Dir   string  `json:"dir"`   // where to begin
	Name  string  `json:"name"`  // what is proposed for a file to be written
	Kinds []Kind  `json:"kinds"` // what files are listed, the first at first; none: all
	Above uintptr `json:"above"` // the X11 window that the dialog stays above; 0: none
}

// Kind is files that are listed together.
type Kind struct {
	Title   string   `json:"title"`
	Endings []string `json:"endings"` // of their names, each with its dot; none: all files
}
