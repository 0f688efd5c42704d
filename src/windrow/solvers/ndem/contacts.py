"""The contacts of a step as plain arrays, for plots, pictures and measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass
class ContactArrays:
    """Every loaded contact; those with bodies come last."""

    first_id: NDArray[np.int64]
    """(n,) a grain"""
    second_id: NDArray[np.int64]
    """(n,) the other grain; −1 for a contact with a body"""
    body: NDArray[np.int32]
    """(n,) obstacle of the scene; −1 for a contact between grains"""
    point: NDArray[np.float32]
    """(n, 3) m"""
    normal: NDArray[np.float32]
    """(n, 3) unit vector towards the first grain"""
    force: NDArray[np.float32]
    """(n, 3) force on the first grain at the end of the step, N"""

    def __len__(self) -> int:
        return len(self.first_id)


def grain_contacts(
    ids: NDArray[np.int64],
    X: NDArray[np.float32],
    i: NDArray[np.int32],
    j: NDArray[np.int32],
    force: NDArray[np.float32],
) -> ContactArrays:
    """Contacts of grains at places i and j; the point is in the middle of their overlap."""
    line = X[i, :3] - X[j, :3]
    distance = np.linalg.norm(line, axis=1)
    normal = line / np.maximum(distance, 1e-30)[:, None]
    reach = X[j, 3] + 0.5 * (distance - X[i, 3] - X[j, 3])
    return ContactArrays(
        first_id=ids[i],
        second_id=ids[j],
        body=np.full(len(i), -1, np.int32),
        point=(X[j, :3] + reach[:, None] * normal).astype(np.float32),
        normal=normal.astype(np.float32),
        force=force,
    )


def body_contacts(
    ids: NDArray[np.int64],
    X: NDArray[np.float32],
    i: NDArray[np.int32],
    body: NDArray[np.int32],
    normal: NDArray[np.float32],
    force: NDArray[np.float32],
) -> ContactArrays:
    """Contacts of grains at places i with bodies; the point is on the grain's surface."""
    return ContactArrays(
        first_id=ids[i],
        second_id=np.full(len(i), -1, np.int64),
        body=body,
        point=(X[i, :3] - X[i, 3:4] * normal).astype(np.float32),
        normal=normal,
        force=force,
    )


def joined(parts: list[ContactArrays]) -> ContactArrays:
    return ContactArrays(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("first_id", "second_id", "body", "point", "normal", "force")
        )
    )
