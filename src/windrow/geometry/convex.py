"""Convex pieces of meshes: what bodies touch each other with, where a hull would fill what is hollow.

CoACD (Wei et al. 2022) cuts a mesh until each part is close to its hull. That takes seconds, so the result is kept in
the user's cache folder, under a name made of everything that it depends on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

from windrow.errors import MissingExtraError, SceneError
from windrow.files import replacing
from windrow.geometry.mesh import CheckedMesh
from windrow.geometry.terms import F64

CONCAVITY = 0.05
"""CoACD's threshold: how far a part may be from its hull, relative to the mesh's size."""
MOST_PIECES = 128
SEED = 0
HOLLOW = 1.25
"""A hull of so many times its mesh's volume fills something that is meant to be hollow."""


def convex_pieces(surface: CheckedMesh, most: int | None, where: str) -> list[F64]:
    """Corners (n, 3) of each convex piece of a closed mesh; `most` of them at most, as many as needed without it.

    The same mesh gives the same pieces.
    """
    if not surface.watertight:
        raise SceneError(
            f"{where}.convex_pieces: {surface.name} is not watertight ({surface.open_edges} open edges), so it has "
            "no inside to cut; close it (trimesh: mesh.fill_holes()), or say convex_pieces = 'hull'"
        )
    try:
        made_by = version("coacd")
        import coacd
    except ImportError:
        raise MissingExtraError(
            f"{where}.convex_pieces: cutting a mesh needs coacd; install it with: pip install 'windrow[meshes]'"
        ) from None
    limit = MOST_PIECES if most is None else most
    kept = _kept_in(surface, limit, made_by)
    pieces = _recalled(kept)
    if pieces is None:
        coacd.set_log_level("error")
        mesh = coacd.Mesh(surface.vertices, surface.faces)
        parts = coacd.run_coacd(mesh, threshold=CONCAVITY, max_convex_hull=limit, seed=SEED)
        pieces = [np.asarray(corners, np.float64) for corners, _ in parts]
        if not pieces:
            raise SceneError(
                f"{where}.convex_pieces: {surface.name} could not be cut into convex pieces; simplify or repair "
                "it, or say convex_pieces = 'hull'"
            )
        _keep(kept, pieces)
    return pieces


def cache_folder() -> Path:
    """Where what takes long to compute is kept for this user."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        home = str(Path.home() / "Library" / "Caches")
    else:
        home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "windrow" / "convex"


def _kept_in(surface: CheckedMesh, limit: int, made_by: str) -> Path:
    """File whose name says mesh, settings and program."""
    name = hashlib.sha256()
    name.update(f"coacd {made_by}, {CONCAVITY}, {limit}, {SEED}".encode())
    for array, kind in ((surface.vertices, np.float64), (surface.faces, np.int64)):
        name.update(np.ascontiguousarray(array, kind).tobytes() + str(array.shape).encode())
    return cache_folder() / f"{name.hexdigest()}.npz"


def _recalled(file: Path) -> list[F64] | None:
    """What was kept; None when there is nothing, or nothing that can be read."""
    try:
        with np.load(file, allow_pickle=False) as data:
            return [np.asarray(data[f"arr_{k}"], np.float64) for k in range(len(data.files))]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def _keep(file: Path, pieces: list[F64]) -> None:
    """Kept as a whole or not at all; a folder that cannot be written costs time, not the result."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as partial, open(partial, "wb") as stream:
            np.savez(stream, *pieces)
