"""The Capra compiler: a graph, its calibration and fixed ranges in, a program out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from refmodel.capra.calibration import Samples, calibrated_ranges
from refmodel.capra.external import ExternalLayout, lay_out_external
from refmodel.capra.graph import Graph
from refmodel.capra.legality import check_graph
from refmodel.capra.lowering import lower
from refmodel.capra.nodes import ArgMaxNode, InputNode, OutputNode, WeightNode
from refmodel.capra.plan import QuantizationPlan, plan_quantization
from refmodel.capra.program import Port, Program, integers_to_words
from refmodel.isa.encoding import encode_program
from refmodel.machine.bundle import DEFAULT_EXT_WORDS
from refmodel.machine.result import WordArray
from refmodel.numerics.quantization import quantize


def compile_graph(
    graph: Graph,
    calibration: Samples,
    ranges: Mapping[str, float] | None = None,
    reuse: bool = True,
    ext_words: int = DEFAULT_EXT_WORDS,
) -> Program:
    """Compile a graph to a program whose outputs equal the integer interpreter's bit for bit.

    `calibration` is a non-empty list of {input name: float array}; it decides the scales. `ranges` fixes the
    range of the group of every tensor with a tag. With `reuse` false no region of the scratchpad is used
    twice, so that every tensor can be read back after the run. `ext_words` is the external memory there is,
    1..65536.

    Raises CompileError, naming the node and the reason, for whatever cannot be compiled.
    """
    graph = graph.copy()
    check_graph(graph)
    plan = plan_quantization(graph, calibrated_ranges(graph, calibration), ranges or {})
    external = lay_out_external(graph, ext_words)
    lowered = lower(graph, plan, external, reuse)
    return Program(
        graph=graph,
        plan=plan,
        code=encode_program(lowered.instructions),
        nodes=lowered.nodes,
        ends=lowered.ends,
        inputs=_ports(graph, plan, external, InputNode),
        outputs=_ports(graph, plan, external, OutputNode),
        addresses=lowered.addresses,
        external=external.addresses,
        scratchpad_words=lowered.scratchpad_words,
        weight_image=_weight_image(graph, plan, external),
        ext_words=ext_words,
        reuse=reuse,
    )


def _ports(
    graph: Graph, plan: QuantizationPlan, external: ExternalLayout, kind: type[InputNode] | type[OutputNode]
) -> dict[str, Port]:
    ports = {}
    for node, operation in enumerate(graph.nodes):
        if isinstance(operation, kind):
            is_index = any(isinstance(graph.nodes[source], ArgMaxNode) for source in operation.operands)
            ports[operation.name] = Port(
                operation.shape, plan.scales[node], external.addresses[node], "index" if is_index else "int8"
            )
    return ports


def _weight_image(graph: Graph, plan: QuantizationPlan, external: ExternalLayout) -> WordArray:
    image = np.zeros(external.loaded_words, dtype=np.uint32)
    for node, operation in enumerate(graph.nodes):
        if isinstance(operation, WeightNode):
            address = external.addresses[node]
            words = integers_to_words(quantize(operation.values, plan.scales[node]))
            image[address : address + operation.words] = words
    image.setflags(write=False)
    return image
