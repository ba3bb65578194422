"""What must happen: the GA2 instruction set, its machine, the Capra compiler and the language models.

Nothing here knows of HDL, cocotb or the file system; numpy is the only dependency.
"""
