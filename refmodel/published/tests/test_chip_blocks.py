"""The first blocks of the random target on the chip, whose draft breaks a tie unlike the float draft."""

from __future__ import annotations

from refmodel.language.draft import bigram_draft
from refmodel.machine.result import RunResult
from refmodel.published.decoder import DRAFT_SEED, FIGURES, START, TOKENS, PublishedDecoder
from refmodel.speculative.host_loop import speculative_decode
from refmodel.speculative.model_runner import run_on_model
from refmodel.speculative.step import Step


def test_the_first_blocks_propose_choose_and_accept_as_published(shape_decoder: PublishedDecoder) -> None:
    family = shape_decoder.family("random", 1)
    targets, drafts = family.for_speculation(bigram_draft(family.target, 0.0, DRAFT_SEED), 3)
    choices: list[list[int]] = []
    draft_logits: list[list[int]] = []

    def observe(step: Step, result: RunResult) -> None:
        outputs = step.program.read_outputs(result.ext)
        if step.kind == "verifier":
            choices.append(outputs["tok"].ravel().tolist())
        elif (step.inputs["x"] == family.target.embedding[1]).all():
            draft_logits.append(outputs["logits"][0, [9, 11]].tolist())

    loop = speculative_decode(targets, drafts, [START], TOKENS, 3)
    done = run_on_model(loop, shape_decoder.machine, observe)
    published = FIGURES["random_seed1_k3_chip_blocks"]
    measured = [
        {"block": [block.last, *block.proposed], "choices": chosen, "accepted": block.accepted}
        for block, chosen in zip(done.run.history, choices, strict=True)
    ]
    assert measured[: len(published)] == published
    assert draft_logits[0] == [33, 31]
