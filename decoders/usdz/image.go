package usdz

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg" // for DecodeConfig and Decode
	_ "image/png"
	"slices"

	"cutaway/model"
)

// Images of a package: JPEG and PNG. OpenEXR and AVIF, also allowed, are not decoded.

// maxPixels and maxImage limit the images that are decoded.
const (
	maxPixels = 64 << 20
	maxImage  = 256 << 20 // bytes
)

// A texture is an image of a package.
type texture struct {
	model.CardBase
	src  *model.Source
	kind string
}

var _ model.Picture = (*texture)(nil)

// imageCards returns the card of an image by its name; src holds its bytes.
func imageCards(name string, src *model.Source) []model.Card {
	kind := ending(name)
	if !slices.Contains([]string{".png", ".jpg", ".jpeg"}, kind) || src.Size() == 0 {
		return nil
	}
	return []model.Card{&texture{model.CardBase{Title: "image"}, src, kind}}
}

func (p *texture) Rule() string {
	if p.kind == ".png" {
		return "PNG"
	}
	return "JPEG"
}

// Reduced returns "": PNG loses nothing of these images.
func (*texture) Reduced() string { return "" }

func (p *texture) Decode(ctx context.Context) (image.Image, error) {
	if p.src.Size() > maxImage {
		return nil, fmt.Errorf("the image has %s, more than is decoded for a preview", model.GroupedCount(p.src.Size(), "byte"))
	}
	b, err := p.src.Bytes(ctx, 0, p.src.Size())
	if err != nil {
		return nil, err
	}
	head, _, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if int64(head.Width)*int64(head.Height) > maxPixels {
		return nil, fmt.Errorf("the image claims %d × %d pixels, too many for a preview", head.Width, head.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(b))
	return img, err
}
