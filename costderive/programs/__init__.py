"""Rules as programs: compiled losses and formulas with parameters, printed in other languages."""
