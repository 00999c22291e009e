package usdc

import "cutaway/model"

var rules []model.Rule
