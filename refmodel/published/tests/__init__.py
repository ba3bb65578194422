"""Every published figure, reproduced on the reference model."""
