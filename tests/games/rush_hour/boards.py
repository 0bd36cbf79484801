"""Rush Hour boards as text: T the target, other letters vehicles, # bushes; vehicles are numbered as they appear."""

from typing import Any

from games.rush_hour.layout import Layout, parse_layout
from games.rush_hour.rules import State, initial_state


def layout_data(*rows: str) -> dict[str, Any]:
    """Return a layout's JSON form."""
    cells: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            cells.setdefault(letter, []).append((r, c))
    letters = [letter for letter in cells if letter not in ".#"]
    return {
        "rows": len(rows),
        "columns": len(rows[0]),
        "vehicles": [
            {
                "row": cells[letter][0][0],
                "column": cells[letter][0][1],
                "length": len(cells[letter]),
                "axis": "h" if cells[letter][0][0] == cells[letter][1][0] else "v",
                "target": letter == "T",
            }
            for letter in letters
        ],
        "blockers": [list(cell) for cell in cells.get("#", [])],
    }


def layout(*rows: str) -> Layout:
    return parse_layout(layout_data(*rows))


def board(*rows: str) -> State:
    return initial_state(layout(*rows))


def drawn(state: State) -> list[str]:
    """Return the board with vehicles as 0, 1, 2, ... and the target as T."""
    rows = [["."] * state.layout.columns for _ in range(state.layout.rows)]
    for r, c in state.layout.bushes:
        rows[r][c] = "#"
    for number, (vehicle, at) in enumerate(zip(state.layout.vehicles, state.at, strict=True)):
        for r, c in vehicle.cells(at):
            rows[r][c] = "T" if number == state.layout.target else str(number)
    return ["".join(row) for row in rows]
