"""What is sent to GA2: bundles, sequence items and the sequences that make them."""
