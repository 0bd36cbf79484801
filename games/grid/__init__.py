"""Grids of cells: as boards of the suite's games (`cells`), and as whole environments behind ARC-AGI-3's interface.

The environments are in `environment`; docs/explanation/grid.md shows their use. This page re-exports the boards alone,
because the games' rules import it and the environments import the games.
"""

from games.grid.cells import DIRECTION, LONGEST_SIDE, Cell, GridFrame, fit, side_of, symmetric_images

__all__ = ["DIRECTION", "LONGEST_SIDE", "Cell", "GridFrame", "fit", "side_of", "symmetric_images"]
