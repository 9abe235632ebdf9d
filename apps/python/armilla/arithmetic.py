"""Arithmetic of objects, which is that of steps and of arrays."""


def _refusal(symbol):
    def operator(self, other=None):
        if hasattr(other, "__array_ufunc__"):
            return NotImplemented  # an array of numpy, whose operators take objects as arrays
        raise TypeError(f"{type(self).__name__} has no operator {symbol}: use the steps armilla.add(), multiply() and "
                        "scale(), which know units and bad pixels, or arrays, .values")

    return operator


class NoArithmetic:
    """Operators raise TypeError, which says what to use instead."""


for _name, _symbol in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}.items():
    setattr(NoArithmetic, f"__{_name}__", _refusal(_symbol))
    setattr(NoArithmetic, f"__r{_name}__", _refusal(_symbol))
NoArithmetic.__neg__ = _refusal("-")
