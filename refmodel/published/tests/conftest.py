"""The published decodings, run once and shared by the tests of this folder."""

from __future__ import annotations

import pytest

from refmodel.published.tests.decoding import PublishedDecoder


@pytest.fixture(scope="session")
def shape_decoder() -> PublishedDecoder:
    """Return the decodings under the published scales."""
    return PublishedDecoder("shape")


@pytest.fixture(scope="session")
def model_decoder() -> PublishedDecoder:
    """Return the decodings under one scale a role."""
    return PublishedDecoder("model")
