package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"cutaway/model"
	"cutaway/model/values"
)

// The size of a plot, and how many lines it may have.
const (
	plotWidth, plotHeight = 10 * vg.Inch, 5 * vg.Inch
	plotPixels            = 1000
	maxLines              = 16
)

// drawPlot draws the numbers of columns over their index, each component a line. Of each pixel the least and the greatest
// value are kept, so that no spike is lost.
func drawPlot(ctx context.Context, file string, columns []*values.Column) ([]byte, error) {
	p := plot.New()
	p.X.Label.Text = "index"
	p.Add(plotter.NewGrid())
	p.Legend.Top = true
	lines := 0
	for _, c := range columns {
		if !c.Numeric() {
			continue
		}
		bands, err := values.Bands(ctx, c, 0, -1, plotPixels)
		if err != nil {
			return nil, err
		}
		for k := range bands.Low {
			if lines == maxLines {
				break
			}
			if err := addLine(p, lines, lineName(c, bands, k), bands, k); err != nil {
				return nil, err
			}
			lines++
		}
	}
	if lines == 0 {
		return nil, fmt.Errorf("there are no numbers to draw")
	}
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	w, err := p.WriterTo(plotWidth, plotHeight, format)
	if err != nil {
		return nil, fmt.Errorf("%s: write a .png, .svg or .pdf: %w", file, err)
	}
	var b bytes.Buffer
	_, err = w.WriteTo(&b)
	return b.Bytes(), err
}

// lineName returns the legend of a component, with the integer that its values are relative to.
func lineName(c *values.Column, b *values.Band, k int) string {
	name := strings.TrimSpace(c.Name + " " + values.ComponentName(c, k))
	if base := b.Base[k]; base != nil {
		name = cmp.Or(name, "value") + " - " + model.ShowHeld(base, 40)
	}
	return name
}

// addLine draws one component: through the least and the greatest value of each pixel.
func addLine(p *plot.Plot, i int, name string, b *values.Band, k int) error {
	var points plotter.XYs
	for x := range b.Low[k] {
		low, high := b.Low[k][x], b.High[k][x]
		if math.IsNaN(low) {
			continue
		}
		at := float64(b.First) + (float64(x)+0.5)*b.Step
		points = append(points, plotter.XY{X: at, Y: low})
		if high != low {
			points = append(points, plotter.XY{X: at, Y: high})
		}
	}
	if len(points) == 0 {
		return nil
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.Color = plotutil.Color(i)
	p.Add(line)
	if name != "" {
		p.Legend.Add(name, line)
	}
	return nil
}
