"""The arithmetic that the machine, the compiler and the integer interpreter share."""
