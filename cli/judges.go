package cli

import "cutaway/model"

// verdictsObject returns the verdicts by the judges' names. They are null of a judge who does not judge the version, and of a file that
// was not read to its end.
func (c *checked) verdictsObject() model.Object {
	var all model.Object
	for i, j := range c.judges {
		m := model.Member{Key: j.Name}
		if j.Judges && c.whole && c.found.Limits == 0 {
			m.Value = model.Text(c.verdicts[i])
		}
		all = append(all, m)
	}
	return all
}

// otherVerdict returns in a line what the judges say who were not asked, where they say another thing.
func (c *checked) otherVerdict() string {
	asked := ""
	for i, j := range c.judges {
		if j.Name == c.by {
			asked = c.verdicts[i]
		}
	}
	for i, j := range c.judges {
		if j.Judges && c.whole && c.verdicts[i] != asked {
			return "by " + j.Title + ": " + c.verdicts[i]
		}
	}
	return ""
}
