"""The scratchpad that a bundle without one begins with, wherever bundles run one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from refmodel.machine.bundle import Bundle


def preset(bundle: Bundle) -> Bundle:
    """Return the bundle with its scratchpad set: to zeros, unless it has an image of its own."""
    if bundle.scratchpad is not None:
        return bundle
    return replace(bundle, scratchpad=np.zeros(0, np.uint32))
