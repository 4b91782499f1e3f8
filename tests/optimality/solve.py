"""Solves integer programs with HiGHS and checks the solutions claimed for them.

Usage: solve.py SECONDS FILE.lp...

For each program a line: its path, HiGHS' status, its optimum, its lower bound, the seconds it took, the cost of the
solution in FILE.sol (`-` without one), and the largest violation of a constraint by that solution.
"""

import sys
import time

import highspy


def read_claim(path):
    """The names of the variables that are 1; None if there are none."""
    with open(path, encoding="utf-8") as lines:
        return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")] or None


def assess(lp, names):
    """The cost of a solution, and by how much it violates a constraint at most, relative to its size."""
    places = {name: place for place, name in enumerate(lp.col_names_)}
    values = [0.0] * lp.num_col_
    for name in names:
        values[places[name]] = 1.0
    sums, sizes = [0.0] * lp.num_row_, [1.0] * lp.num_row_
    matrix = lp.a_matrix_
    start, index, value = list(matrix.start_), list(matrix.index_), list(matrix.value_)
    by_column = matrix.format_ == highspy.MatrixFormat.kColwise
    for outer in range(len(start) - 1):
        for at in range(start[outer], start[outer + 1]):
            row, column = (index[at], outer) if by_column else (outer, index[at])
            sums[row] += value[at] * values[column]
            sizes[row] = max(sizes[row], abs(value[at]))
    worst = 0.0
    for total, size, lower, upper in zip(sums, sizes, lp.row_lower_, lp.row_upper_):
        worst = max(worst, (lower - total) / size, (total - upper) / size)
    cost = float(sum(cost * value for cost, value in zip(lp.col_cost_, values)) + lp.offset_)
    return cost, float(worst)


def main():
    seconds = float(sys.argv[1])
    for path in sys.argv[2:]:
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("time_limit", seconds)
        # By default HiGHS stops at a gap of 0.01 %.
        solver.setOptionValue("mip_rel_gap", 0.0)
        solver.setOptionValue("mip_abs_gap", 0.0)
        # One thread: what is compared is one core with one core.
        solver.setOptionValue("threads", 1)
        if solver.readModel(path) != highspy.HighsStatus.kOk:
            print(path, "unreadable", "-", "-", 0.0, "-", 0.0, flush=True)
            continue
        names = read_claim(path[: -len("lp")] + "sol")
        cost, worst = assess(solver.getLp(), names) if names else ("-", 0.0)
        begun = time.monotonic()
        solver.run()
        took = time.monotonic() - begun
        status = solver.modelStatusToString(solver.getModelStatus()).lower().replace(" ", "-")
        found = solver.getInfo()
        print(
            path,
            status,
            repr(found.objective_function_value),
            repr(found.mip_dual_bound),
            f"{took:.3f}",
            repr(cost) if names else "-",
            repr(worst),
            flush=True,
        )


main()
