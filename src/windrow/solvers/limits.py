"""Kinds of warnings about what a solver cannot carry; the solvers say when."""

from __future__ import annotations


class DepthWarning(UserWarning):
    """The scene is deeper than its solver carries."""


class ForceWarning(UserWarning):
    """Forces are read that the solver does not compute right."""


class StiffnessWarning(UserWarning):
    """Contacts are stiffer than the solver's substeps carry."""
