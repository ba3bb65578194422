"""The published decodings and the measured figures, made once and shared by the tests of this folder."""

from __future__ import annotations

from typing import Any

import pytest

from refmodel.published.decoder import PublishedDecoder
from refmodel.published.measured import measured_figures


@pytest.fixture(scope="session")
def shape_decoder() -> PublishedDecoder:
    """Return the decodings under the published scales."""
    return PublishedDecoder("shape")


@pytest.fixture(scope="session")
def model_decoder() -> PublishedDecoder:
    """Return the decodings under one scale per role."""
    return PublishedDecoder("model")


@pytest.fixture(scope="session")
def measured(shape_decoder: PublishedDecoder, model_decoder: PublishedDecoder) -> dict[str, Any]:
    """Return what the reference model gives for each published figure."""
    return measured_figures(shape_decoder, model_decoder)
