"""Mutants of the scratchpad and of both DMA units."""

from __future__ import annotations

from refmodel.isa.limits import MAX_LENGTH
from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Expression, FirstDivergence, Mutant, Statement

MUTANTS = (
    Mutant(
        "read_address_of_eleven_bits",
        Category.ADDRESS_WRAP,
        "ga2_scratchpad.sv",
        (Expression("read_addr_i", "{1'b0, read_addr_i[10:0]}", prefix="mem["),),
        "Reads of the upper half of the scratchpad give words of the lower half.",
        ("addresses/st-wraps",),
        FirstDivergence(0, "ST", Unit.DMA, DivergenceKind.DATA),
    ),
    Mutant(
        "write_address_of_eleven_bits",
        Category.ADDRESS_WRAP,
        "ga2_scratchpad.sv",
        (Expression("write_addr_i", "{1'b0, write_addr_i[10:0]}", prefix="if (write_i) mem["),),
        "Writes to the upper half of the scratchpad go to its lower half, behind the write port, where every "
        "event is still right.",
        ("addresses/ld-wraps",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.STATE),
    ),
    Mutant(
        "request_address_of_twelve_bits",
        Category.ADDRESS_WRAP,
        "ga2_dma_load.sv",
        (Expression("req_addr_q + 16'd1", "{req_addr_q[15:12], req_addr_q[11:0] + 12'd1}"),),
        "Addresses of LD wrap every 4096 external words, so that word 4096 is read from 0.",
        ("sizes/ld-4095",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.ADDRESS),
    ),
    Mutant(
        "load_stays_at_last_word",
        Category.ADDRESS_WRAP,
        "ga2_dma_load.sv",
        (Expression("write_addr_q + 12'd1", "(write_addr_q == 12'hfff) ? 12'hfff : (write_addr_q + 12'd1)"),),
        "LD does not wrap at the end of the scratchpad but writes its last word again and again.",
        ("addresses/ld-wraps",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.ADDRESS),
    ),
    Mutant(
        "long_load_counts_gaps",
        Category.LATENCY,
        "ga2_dma_load.sv",
        (
            Expression(
                "write_q",
                "write_q || (length_i[11] && !take_response && (responses_left_q != length_i) && "
                "(responses_left_q != 12'd0))",
                prefix="if (",
            ),
        ),
        "An LD of 2,048 words or more whose responses pause for two cycles leaves a word out.",
        (f"latencies/bursts-{MAX_LENGTH}",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.ADDRESS),
    ),
    Mutant(
        "response_lost_at_last_request",
        Category.LATENCY,
        "ga2_dma_load.sv",
        (
            Expression(
                "resp_valid_i && (responses_left_q != 12'd0)",
                "resp_valid_i && (responses_left_q != 12'd0) && (requests_left_q != 12'd1)",
            ),
        ),
        "A response in the cycle of the last request is lost, which takes a latency below the length; the "
        "word after it comes in its place, and one write is missing in the end.",
        ("latencies/2-loads",),
        FirstDivergence(1, "LD", Unit.DMA, DivergenceKind.MISSING),
    ),
    Mutant(
        "response_counted_in_issue",
        Category.LATENCY,
        "ga2_dma_load.sv",
        (
            Statement(
                "responses_left_q <= length_i;", "responses_left_q <= length_i - {11'd0, resp_valid_i};"
            ),
        ),
        "A response in the ISSUE of LD, which answers nothing, counts for its first: a word less is awaited.",
        ("surroundings/stray-0",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.MISSING),
    ),
    Mutant(
        "request_waits_for_response",
        Category.LATENCY,
        "ga2_dma_load.sv",
        (
            Expression("requesting_q", "requesting_q && !resp_valid_i", prefix="assign req_valid_o = "),
            Expression("requesting_q", "requesting_q && !resp_valid_i", prefix="if ("),
        ),
        "LD makes no request while a response arrives, so that it is slow where the latency is short.",
        ("latencies/2-loads",),
        FirstDivergence(1, "LD", Unit.DMA, DivergenceKind.TIMING),
    ),
    Mutant(
        "pause_at_2048_requests",
        Category.LATENCY,
        "ga2_dma_load.sv",
        tuple(
            Expression(
                "requesting_q",
                "requesting_q && (resp_valid_i || (requests_left_q != 12'd2048))",
                prefix=prefix,
            )
            for prefix in ("assign req_valid_o = ", "if (")
        ),
        "LD pauses where 2,048 requests are left, until a response arrives: the latency must exceed 2,047.",
        ("latencies/all-outstanding",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.TIMING),
    ),
    Mutant(
        "load_awaits_one_word_more",
        Category.HANG,
        "ga2_dma_load.sv",
        (Statement("responses_left_q <= length_i;", "responses_left_q <= length_i + 12'd1;"),),
        "LD waits for one response more than it has asked for, after all of its words are written.",
        ("golden/load-store",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.HANG),
    ),
    Mutant(
        "store_address_of_thirteen_bits",
        Category.ADDRESS_WRAP,
        "ga2_dma_store.sv",
        (Expression("wr_addr_q + 16'd1", "{wr_addr_q[15:13], wr_addr_q[12:0] + 13'd1}"),),
        "Addresses of ST wrap every 8192 external words, so that 57344 follows 65535.",
        ("addresses/external-wraps",),
        FirstDivergence(1, "ST", Unit.DMA, DivergenceKind.ADDRESS),
    ),
    Mutant(
        "store_strobe_stays",
        Category.WRITE_OUTSIDE_TURN,
        "ga2_dma_store.sv",
        (
            Statement(
                "wr_valid_q   <= data_valid_q;",
                "wr_valid_q <= data_valid_q || (state_q == StLastWrite);",
            ),
        ),
        "The write strobe of ST stays high after its last write, while the unit sleeps.",
        ("latencies/8-tour",),
        FirstDivergence(7, "HALT", None, DivergenceKind.WRITE_OUTSIDE_TURN),
    ),
    Mutant(
        "store_of_one_word_more",
        Category.OFF_BY_ONE_TIME,
        "ga2_dma_store.sv",
        (Expression("left_q == 12'd1", "left_q == 12'd0"),),
        "ST stops a cycle late and stores one word more.",
        ("golden/load-store",),
        FirstDivergence(1, "ST", Unit.DMA, DivergenceKind.EXTRA),
    ),
)
