package vrs

import (
	"cutaway/model"
)

func (r *recording) groupCards(t *table, s *stream, kind recordType) []model.Card { return nil }
func (r *recording) fieldCards(t *table, c *content, k int, p *piece) []model.Card { return nil }
func imageCards(at model.Span, s *imageSpec) []model.Card { return nil }
func soundCards(at model.Span, s *audioSpec) []model.Card { return nil }
func sampleValue(format int, b []byte) model.Value { return model.Int(b[0]) }
