package usdc

// regionName is the name of the layout's child that holds the value data at off: "values", "values~2", …; "values"
// where no region holds it.
func (c *crate) regionName(off int64) string { return "values" }
