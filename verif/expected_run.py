"""What one item must do, worked out on the reference machine: resets and restarts included."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from refmodel.isa.instructions import Instruction, Load, Opcode, Store
from refmodel.isa.timing import LOAD_LEAD_CYCLES
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import COUNTER_MASK, decode_program
from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from sequences.stimulus import Stimulus
