"""Time of the merge engine against the number of conflicting lines: prints the curve, asserts
nothing.

Run: python tests/benchmarks/merge_curve.py
"""

from __future__ import annotations

from time import perf_counter

from nightshift.merge.cascade import FileConflict, NoHistory, Options, merge_file

SIZES = (250, 500, 1_000, 2_000, 4_000, 8_000)
BODY = "    value_{n} = compute_{n}(first, second, {edit})\n"


def module(lines: int, edit: str) -> bytes:
    """A module of functions of 25 lines; every fifth line is edited."""
    out: list[str] = []
    for n in range(lines):
        if n % 25 == 0:
            out.append(f"\n\ndef function_{n}(first, second):\n")
        out.append(BODY.format(n=n, edit=edit if n % 5 == 0 else "0"))
    return "".join(out).encode()


def main() -> None:
    """One row for each size: conflicting lines, seconds, microseconds a line."""
    print(f"{'lines':>8}{'seconds':>10}{'us/line':>10}")
    for size in SIZES:
        stages = [module(size, edit) for edit in ("1", "2", "3")]
        start = perf_counter()
        merge_file(FileConflict("a.py", *stages, NoHistory()), Options())
        spent = perf_counter() - start
        lines = 2 * size // 5
        print(f"{lines:>8}{spent:>10.3f}{spent / lines * 1e6:>10.0f}")


if __name__ == "__main__":
    main()
