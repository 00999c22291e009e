package shell

import (
	"context"

	"cutaway/model"
	"cutaway/ui/task"
)

// Opened is what every pane of an opened document works with.
type Opened struct {
	*Shell
	Doc   *model.Document // nil until it is open
	Tasks *task.Group
	Ctx   context.Context // ends with the panes, before the file is closed
}
