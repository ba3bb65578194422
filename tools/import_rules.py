"""An import-linter contract: the packages from outside that a package of ours may import."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class OnlyExternalContract(Contract):
    """Whatever `package` imports from outside is in the standard library or in `allowed`; tests are free."""

    type_name = "only_external"

    package = fields.StringField()
    allowed = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        """Collect the pairs (importer, imported) that break the rule."""
        package = str(self.package)
        allowed = {str(name) for name in cast("Iterable[object]", self.allowed)}
        ours = {name.partition(".")[0] for name in graph.modules if not graph.is_module_squashed(name)}
        permitted = ours | sys.stdlib_module_names | allowed
        offences = [
            f"{importer} imports {imported}; {package} may import {', '.join(sorted(allowed))}"
            for importer in sorted({package, *graph.find_descendants(package)})
            if ".tests" not in importer
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if imported.partition(".")[0] not in permitted
        ]
        return ContractCheck(kept=not offences, metadata={"offences": offences})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each forbidden import."""
        for offence in check.metadata["offences"]:
            output.print_error(offence)
