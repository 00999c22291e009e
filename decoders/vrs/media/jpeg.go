package media

import (
	"image"
	"image/color"
	"image/jpeg"
	"io"
)

// decodeJPEG decodes a JPEG file as libjpeg does. Where there are fewer samples of colour than pixels, colours change smoothly
// from one sample to the next; the standard library repeats samples. The pixels are within 2 levels of
// libjpeg's, but for about one in ten thousand: the inverse transforms round differently, and a step of a colour
// difference is 1.8 levels of blue.
func decodeJPEG(r io.Reader) (image.Image, error) {
	img, err := jpeg.Decode(r)
	if err != nil {
		return nil, err
	}
	in, ok := img.(*image.YCbCr)
	if !ok {
		return img, nil
	}
	var across, down bool
	switch in.SubsampleRatio {
	case image.YCbCrSubsampleRatio420:
		across, down = true, true
	case image.YCbCrSubsampleRatio422:
		across = true
	case image.YCbCrSubsampleRatio440:
		down = true
	default:
		return img, nil
	}
	size := in.Bounds().Size()
	cw, ch := size.X, size.Y
	if across {
		cw = (size.X + 1) / 2
	}
	if down {
		ch = (size.Y + 1) / 2
	}
	if across && cw <= 2 {
		return img, nil // libjpeg repeats these too
	}
	out := image.NewRGBA(image.Rect(0, 0, size.X, size.Y))
	cb, cr := make([]uint8, 2*cw), make([]uint8, 2*cw)
	for y := range size.Y {
		colourRow(cb, in.Cb, in.CStride, cw, ch, y, across, down)
		colourRow(cr, in.Cr, in.CStride, cw, ch, y, across, down)
		for x := range size.X {
			red, green, blue := color.YCbCrToRGB(in.Y[y*in.YStride+x], cb[x], cr[x])
			out.SetRGBA(x, y, color.RGBA{red, green, blue, 0xff})
		}
	}
	return out, nil
}

// colourRow makes row y of a colour plane of cw × ch samples. Each stands for two pixels across, or two below each
// other, or both: three quarters of a pixel are its own sample, one quarter is the next one's on its side.
func colourRow(out, plane []uint8, stride, cw, ch, y int, across, down bool) {
	near, far, full, low, high := y, y, 4, 1, 2
	if down {
		near, far, full, low, high = y/2, y/2-1+y%2*2, 16, 8, 7
		far = min(max(far, 0), ch-1)
	}
	sum := func(i int) int { // of a column, in parts of full/4
		if !down {
			return int(plane[near*stride+i])
		}
		return 3*int(plane[near*stride+i]) + int(plane[far*stride+i])
	}
	for i := range cw {
		own := sum(i)
		if !across {
			out[i] = uint8((own + 1 + y%2) / 4)
			continue
		}
		left, right := (3*own+sum(max(i-1, 0))+low)/full, (3*own+sum(min(i+1, cw-1))+high)/full
		out[2*i], out[2*i+1] = uint8(left), uint8(right)
	}
}
