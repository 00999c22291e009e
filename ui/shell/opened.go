package shell

import (
	"context"

	"cutaway/model"
	"cutaway/ui/task"
)

// Opened is the surroundings of a pane: the window, the document, and the life of both.
type Opened struct {
	*Shell
	Doc   *model.Document // nil until it is open
	Tasks *task.Group
	Ctx   context.Context // ends with the panes, before the file is closed
}
