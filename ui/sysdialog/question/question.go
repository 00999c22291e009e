// Package question describes a file dialog. It links nothing, unlike the packages that show the dialog.
package question

// What a Question asks for.
const (
	File   = "file"
	Folder = "folder"
	Save   = "save" // the name of a file to be written; where there is one, the dialog asks whether it is to be replaced
)

// A Question describes a file dialog. It travels as JSON to the program that shows the dialog.
type Question struct {
	What  string  `json:"what"`
	Title string  `json:"title"`
	Dir   string  `json:"dir"`   // the folder that is listed first
	Name  string  `json:"name"`  // the proposed name of a file to be written
	Kinds []Kind  `json:"kinds"` // of the listed files, the first one preselected; without kinds all files are listed
	Above uintptr `json:"above"` // the X11 window that the dialog stays above, or 0
}

// A Kind is a group of files that are listed together.
type Kind struct {
	Title   string   `json:"title"`
	Endings []string `json:"endings"` // of their names, each with its dot; without endings the kind is all files
}
