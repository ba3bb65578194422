"""Real numbers as the user gives them: nested lists or arrays of any numeric type."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from refmodel.numerics.quantization import FloatArray


def real_array(values: ArrayLike) -> FloatArray:
    """Return a float64 copy of the values, of any shape, finite or not.

    Raises ValueError, with a message that continues a sentence, when they are ragged or not real numbers.
    """
    try:
        if not np.iscomplexobj(values):  # numpy would drop the imaginary parts with no more than a warning
            return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError("its values are not a rectangular array of real numbers")
