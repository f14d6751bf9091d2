"""`@pytest.mark.rule("R-BD-3", …)` says which statements of the rules a test covers."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): statements of the rules that the test covers")
