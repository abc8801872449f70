"""What logs tell, and what of it explains the rest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nightshift.sync.diagnose import (
    CAUSES,
    CONTEXT_LINES,
    MAX_FAILURES,
    diagnose,
    first_causes,
    signature,
    transient,
)

STAMP = "2026-01-01T01:02:03.1234567Z "
IMPORT = "ImportError: cannot import name 'gather' from 'pkg.ops' (/opt/w/pkg/ops.py)"
TEST = "FAILED tests/test_ops.py::test_sum[a b] - AssertionError: 1 != 2 - really"
NETWORK = "E: Failed to fetch http://mirror.invalid/x.deb  Connection timed out"
DONE = "##[error]Process completed with exit code 1."


def causes(*lines: str) -> list[str]:
    return [failure.cause for failure in diagnose("\n".join(lines))]


def explained(*lines: str) -> list[str]:
    return [failure.cause for failure in first_causes(diagnose("\n".join(lines)))]


def test_a_log_without_anything_telling() -> None:
    assert not diagnose("")
    assert not diagnose(f"{STAMP}all is well\n{DONE}\n")


def test_failures_come_in_the_logs_order_with_the_lines_above_them() -> None:
    noise = [f"{STAMP}line {n}" for n in range(20)]
    log = "\n".join([*noise, f"{STAMP}would reformat /home/r/pkg/a.py", IMPORT])
    first, second = diagnose(log)
    assert (first.cause, first.path) == ("formatting", "/home/r/pkg/a.py")
    assert len(first.excerpt) == CONTEXT_LINES + 1
    assert first.excerpt[0] == "line 12"
    assert first.text == "would reformat /home/r/pkg/a.py"
    assert (second.symbol, second.module, second.path) == ("gather", "pkg.ops", "/opt/w/pkg/ops.py")


def test_the_same_failure_is_told_once() -> None:
    assert causes(IMPORT, f"{STAMP}E   {IMPORT}", f"ERROR tests/a.py - {IMPORT}") == ["import-name"]


def test_an_endless_list_of_failures_is_cut() -> None:
    log = "\n".join(f"FAILED tests/test_a.py::test_{n}" for n in range(3 * MAX_FAILURES))
    assert len(diagnose(log)) == MAX_FAILURES


def test_an_import_explains_the_tests_of_its_log() -> None:
    assert explained(IMPORT, TEST, DONE) == ["import-name"]
    assert explained(TEST, "ValueError: no") == ["test"]


def test_the_network_is_noise_beside_a_failure_of_the_code() -> None:
    assert explained(NETWORK, TEST) == ["test"]
    assert not transient(diagnose(f"{NETWORK}\n{TEST}"))


def test_the_network_explains_what_no_rule_knows() -> None:
    log = f"{NETWORK}\nERROR: No matching distribution found for x\nRuntimeError: setup failed"
    assert transient(diagnose(log))
    assert not transient(diagnose("RuntimeError: setup failed"))
    assert not transient(diagnose(""))


def test_a_signature_is_the_same_on_another_machine_and_without_network_trouble() -> None:
    here = diagnose(f"would reformat /home/r/pkg/a.py\n{TEST}\n{NETWORK}")
    there = diagnose(f"{TEST.replace('really', 'oh')}\nwould reformat /w/pkg/a.py")
    assert signature(here) == signature(there)
    assert signature(here) != signature(diagnose(TEST))
    assert not signature(diagnose(NETWORK))
    one, other = (f"pkg/{name}.py:1:0: C0114: Missing module docstring" for name in "ab")
    assert signature(diagnose(one)) != signature(diagnose(other))


def test_every_cause_has_its_name_and_its_words() -> None:
    assert all(cause.help for cause in CAUSES.values())
    for name, cause in CAUSES.items():
        found = [cause.find(line) for line in (IMPORT, TEST, NETWORK, "would reformat a.py")]
        assert all(failure.cause == name for failure in found if failure)


@given(st.text(st.sampled_from("FAILED ERROR:.py::#[]'()\x1b\r\n€"), max_size=200))
def test_no_text_makes_it_fail(text: str) -> None:
    for failure in diagnose(text):
        assert failure.cause in CAUSES
