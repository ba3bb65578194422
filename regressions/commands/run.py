from regressions.exit_status import ExitStatus


def run() -> ExitStatus:
    """x"""
    return ExitStatus.GOOD
