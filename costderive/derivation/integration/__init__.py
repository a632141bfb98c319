"""The search for antiderivatives. It may use any means, since every answer is checked by differentiation."""
