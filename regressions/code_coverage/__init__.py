"""Code coverage for people: which files, as a table, and as LCOV and HTML by way of gcovr."""
