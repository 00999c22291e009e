package usdc

type fieldSets struct{}
