package usdc

type specTable struct{}
