"""Nut and Bolt: sort coloured nuts until every bolt holds one colour."""
