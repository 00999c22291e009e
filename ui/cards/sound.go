package cards

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/player"
)

// maxChannels is the most channels of a sound that are drawn.
const maxChannels = 16

// wave is a sound reduced to what a screen can show: a curve for each channel.
type wave struct {
	channels []*curve
	frames   int64 // read so far
}

// peak is the largest sample, without its sign.
func (w *wave) peak() float64 {
	peak := 0.0
	for _, c := range w.channels {
		if c.least <= c.top {
			peak = max(peak, math.Abs(c.least), math.Abs(c.top))
		}
	}
	return peak
}

// reduceSound reads a whole sound in windows, and shows from time to time what it has. When ctx ends, or a frame cannot
// be read, it returns what it has.
func reduceSound(ctx context.Context, s model.Sound, progress model.Progress, show func(*wave)) (*wave, error) {
	w := &wave{}
	dst := make([][]float32, s.Channels())
	for i := range dst {
		dst[i] = make([]float32, readWindow)
		if i < maxChannels {
			w.channels = append(w.channels, newCurve(channelName(i, len(dst))))
		}
	}
	n := s.Frames()
	drawn := time.Now()
	for w.frames < n && len(dst) > 0 {
		for i := range dst {
			dst[i] = dst[i][:min(readWindow, n-w.frames)]
		}
		got, err := s.Read(ctx, w.frames, dst)
		for i, c := range w.channels {
			for k, v := range dst[i][:got] {
				c.add(int((w.frames+int64(k))*(chartColumns-1)/max(n-1, 1)), float64(v))
			}
		}
		w.frames += int64(got)
		if err != nil || got == 0 {
			return w, err
		}
		progress.Report(w.frames, n, "frames")
		if time.Since(drawn) > drawnEvery {
			now := &wave{frames: w.frames}
			for _, c := range w.channels {
				now.channels = append(now.channels, c.snapshot())
			}
			show(now)
			drawn = time.Now()
		}
	}
	return w, nil
}

// channelName names a channel of several.
func channelName(i, of int) string {
	switch of {
	case 1:
		return ""
	case 2:
		return [...]string{"left", "right"}[i]
	}
	return fmt.Sprintf("channel %d", i)
}

// soundOf returns a sound, or the joined sound of a stream after measuring it. A decoded sound can be read only once.
type soundOf func(ctx context.Context, progress model.Progress) (model.Sound, error)

// isSound reports whether media is the sound of more than one record: that of one has a card of its own.
func isSound(m model.Media) bool {
	return m.Items() > 1 && (m.Coding() == "pcm" || m.Coding() == "opus")
}

func joined(m model.Media) soundOf {
	return func(ctx context.Context, progress model.Progress) (model.Sound, error) {
		return m.Sound(ctx, 0, m.Items(), progress)
	}
}

func (d *Deck) soundCard(ctx context.Context, card model.Card, of soundOf) fyne.CanvasObject {
	k := newChartCard("")
	l := &listener{d: d, ctx: ctx, of: of, text: widget.NewLabel("")}
	l.text.Importance = widget.LowImportance
	l.button = kit.IconButton(theme.MediaPlayIcon(), "Play, or stop", func() { l.play(0) })
	l.export = widget.NewButton("Export…", d.host.ExportSelected)
	l.export.Hide()
	var s model.Sound
	drawSteps(ctx, d, card, k, func(ctx context.Context, progress model.Progress, show func(*wave)) (*wave, error) {
		var err error
		if s, err = of(ctx, progress); err != nil {
			return &wave{}, err
		}
		return reduceSound(ctx, s, progress, show)
	}, func(w *wave) bool { return w.frames > 0 }, func(w *wave) {
		k.say(soundText(s, w) + "   a click plays from there")
		level := max(w.peak(), 1e-4)
		k.chart.seconds = s.Rate() > 0
		k.chart.set(w.channels, 0, secondsOf(s), -level, level)
		l.rate = s.Rate()
		k.chart.onTap, k.chart.onSpace = l.play, l.play
	})
	head := kit.Border(nil, nil, l.button, container.NewHBox(l.text, l.export), k.label)
	return kit.Border(head, nil, nil, nil, k.chart)
}

// listener plays a sound.
type listener struct {
	d      *Deck
	ctx    context.Context
	of     soundOf
	rate   float64 // frames a second, or 0 if unknown
	button *kit.Button
	text   *widget.Label
	export *widget.Button
	stop   context.CancelFunc // or nil if nothing plays
}

// play plays from a time on, or stops.
func (l *listener) play(from float64) {
	if l.stop != nil {
		l.stop()
		return
	}
	var within context.Context
	within, l.stop = context.WithCancel(l.ctx)
	l.button.SetIcon(theme.MediaStopIcon())
	l.text.SetText("")
	first := int64(max(from, 0) * l.rate)
	l.d.Tasks.Go(within, "playing", func(ctx context.Context, progress model.Progress) func() {
		s, err := l.of(ctx, progress)
		if err == nil {
			err = player.Play(ctx, s, first, func(name string) {
				l.d.Tasks.Show(ctx, func() { l.text.SetText("by " + name) })
			})
		}
		l.d.Tasks.Show(l.ctx, func() { l.ended(err) })
		return nil
	})
}

// ended says why nothing is heard, if so, and offers to export it.
func (l *listener) ended(err error) {
	l.stop()
	l.stop = nil
	l.button.SetIcon(theme.MediaPlayIcon())
	l.text.SetText("")
	if err != nil && !errors.Is(err, context.Canceled) {
		l.text.SetText("Not played: " + err.Error())
		l.export.Show()
	}
}

// secondsOf returns the duration of a sound; without a rate it has one frame a second.
func secondsOf(s model.Sound) float64 {
	if r := s.Rate(); r > 0 {
		return float64(s.Frames()) / r
	}
	return float64(s.Frames())
}

// secondsIn returns the unit that keeps a time short, and its number in a second.
func secondsIn(seconds float64) (unit string, per float64) {
	switch a := math.Abs(seconds); {
	case a >= 1 || a == 0:
		return "s", 1
	case a >= 1e-3:
		return "ms", 1e3
	}
	return "µs", 1e6
}

// duration formats a duration to a thousandth of a second, or in three digits if it is shorter than one.
func duration(seconds float64) string {
	unit, per := secondsIn(seconds)
	const thousandths = 1e3
	v := math.Round(seconds*thousandths) / thousandths
	if per > 1 {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(seconds*per, 'g', 3, 64), 64)
	}
	return groupedFloat(v) + " " + unit
}

// groupedFloat is a number as shortFloat has it, with commas between thousands: "48,000", "44,100.5".
func groupedFloat(f float64) string {
	text := shortFloat(f)
	whole, _, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n == 0 { // "1e+300", "-0.5"
		return text
	}
	return model.Grouped(n) + strings.TrimPrefix(text, whole)
}

// soundText says what a sound is.
func soundText(s model.Sound, w *wave) string {
	text := model.GroupedCount(int64(s.Channels()), "channel")
	if r := s.Rate(); r > 0 {
		text += fmt.Sprintf(", %s Hz, %s", groupedFloat(r), duration(secondsOf(s)))
	} else {
		text += ", rate unknown: time counts frames"
	}
	text += ", " + model.GroupedCount(s.Frames(), "frame")
	if n := s.Frames(); w.frames < n {
		return text + fmt.Sprintf(", %s read so far", model.Grouped(w.frames))
	}
	if p := w.peak(); p > 0 {
		text += fmt.Sprintf(", peak %.3g (%.1f dB)", p, 20*math.Log10(p))
	} else {
		text += ", silent"
	}
	if s.Channels() > maxChannels {
		text += fmt.Sprintf(", the first %d channels are drawn", maxChannels)
	}
	return text
}
