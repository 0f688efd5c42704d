"""Hypothesis strategies: scenes that are valid, and scenes that are not."""

from __future__ import annotations

import copy
import math
from typing import Any

from hypothesis import strategies as st

number = st.floats(-5, 5)
length = st.floats(0.05, 5)
vector = st.tuples(number, number, number).map(list)
size = st.tuples(length, length, length).map(list)
direction = vector.filter(lambda v: math.hypot(*v) > 0.01)
material = st.sampled_from(["sand", "steel plate", 'Möhre "3"'])
words = st.text(max_size=12)


def table(**fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Fields given as `name_` may be missing."""
    needed = {name: value for name, value in fields.items() if not name.endswith("_")}
    optional = {name[:-1]: value for name, value in fields.items() if name.endswith("_")}
    return st.fixed_dictionaries(
        {
            name: value if isinstance(value, st.SearchStrategy) else st.just(value)
            for name, value in needed.items()
        },
        optional=optional,
    )


radius = st.one_of(
    st.floats(0.2, 0.5),
    st.tuples(st.floats(0.2, 0.3), st.floats(0.3, 0.5)).map(lambda r: {"min": r[0], "max": r[1]}),
    st.lists(st.floats(0.2, 0.5), min_size=1, max_size=3).map(
        lambda r: {"radii": r, "mass_fractions": [1.0] * len(r)}
    ),
)
regions = st.one_of(
    table(kind="box", size=size),
    table(kind="sphere", radius=length),
    table(kind="cylinder", radius=length, height=length),
)
shapes = st.one_of(
    regions,
    table(kind="plane", normal=direction, offset=number),
    table(kind="capsule", radius=length, height=length),
    table(kind="cone", radius=length, height=length, radius_top_=length),
    table(
        kind="height_field",
        size=st.tuples(length, length).map(list),
        heights=st.just([[0.0, 1.0], [0.5, 2.0]]),
    ),
    table(kind="mesh", vertices=st.just([[0, 0, 0], [1, 0, 0], [0, 1.5, 0]]), faces=st.just([[0, 1, 2]])),
    table(
        kind="revolution", profile=st.just([[1.0, 0.0], [0.5, 1.0]]), closed_=st.booleans(), thickness_=length
    ),
    table(kind="distance_grid", lower=vector, spacing=length, values=st.just([[[0.0, 1.0]] * 2] * 2)),
)
motions = st.one_of(
    table(kind="linear", velocity=vector, start_=st.floats(0, 1), stop_=st.floats(1, 2) | st.just(math.inf)),
    table(kind="spin", axis=direction, rate=number, center_=vector),
    table(kind="oscillate", direction=direction, amplitude=length, frequency=length, phase_=number),
    table(kind="keyframes", time=st.just([0.0, 1.0]), position=st.tuples(vector, vector).map(list)),
)
filling: dict[str, Any] = {
    "radius": radius,
    "packing_": st.sampled_from(["cubic", "hexagonal", "random", "dense"]),
    "jitter_": st.floats(0, 0.05),
    "velocity_": vector,
    "velocity_spread_": length,
    "material": material,
}
sources = st.one_of(
    table(
        kind="points",
        position=st.lists(vector, min_size=1, max_size=3),
        radius=st.floats(0.01, 0.1),
        velocity_=vector,
        mass_=length,
        pinned_=st.booleans(),
        material=material,
    ),
    table(kind="block", lower=vector, size=size, **filling),
    table(kind="column", position=vector, column_radius=length, height=length, **filling),
    table(kind="ball", position=vector, ball_radius=length, **filling),
    table(kind="rope", start=vector, end=vector, segments=st.integers(1, 9), material=material),
    table(
        kind="cloth",
        corner=vector,
        edge_u=direction,
        edge_v=direction,
        nu=st.integers(2, 5),
        nv=st.just(3),
        material=material,
        pinned_=st.sampled_from(["none", "corners", "edge", "border"]),
    ),
)
scenes = table(
    title_=words,
    description_=words,
    gravity_=vector,
    seed_=st.integers(0, 2**63 - 1),
    capacity_=st.integers(1, 1000),
    materials=st.just(
        {
            "sand": {"soil": "dry_sand"},
            "steel plate": {"density": 7850.0, "color": [0.1, 0.2, 0.3], "source": 'a \\ "book"\n\x7f'},
            'Möhre "3"': {"friction_static": 0.25, "stiffness": 1e5},
        }
    ),
    material_pairs_=st.just([{"materials": ["sand", "steel plate"], "adhesion": 3.5}]),
    particles_=st.lists(sources, max_size=2),
    obstacles_=st.lists(
        table(shape=shapes, material=material, position_=vector, rotation_deg_=vector, motion_=motions),
        max_size=3,
    ),
    emitters_=st.lists(
        table(region=regions, rate=length, radius=radius, material=material, count_=st.integers(1, 10**6)),
        max_size=1,
    ),
    sinks_=st.lists(table(region=regions, position_=vector, stop_=length), max_size=1),
    domain_=st.just({"lower": [-9, -9, -9], "upper": [9, 9, 9.5]}),
    links_=st.just([{"first": 0, "second": 1, "length": 0.25}]),
    solver_=table(
        name="p2",
        dt=st.floats(1e-4, 0.1),
        method_=st.sampled_from(["jacobi", "gauss_seidel"]),
        mass_splitting_=st.booleans(),
        iterations_=st.integers(1, 50),
    ),
    run_=table(seconds=length, camera_=st.just({"eye": [1, 2, 3], "target": [0, 0, 0]})),
)

junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 3),
    st.just(10**400),
    st.floats(),
    st.sampled_from([0.0, -1.0, math.nan, math.inf, -math.inf, 1e-300, 1e300, 1e-7, 1e7]),
    st.text(max_size=8),
    st.sampled_from(["inf", "nan", "sand", "box", "p2", "", "kind"]),
    st.binary(max_size=4),
    st.just([]),
    st.just({}),
    st.just([[]]),
    st.just([[1, 2], [3]]),
    vector,
    st.dictionaries(st.text(max_size=5) | st.integers(), st.integers(), max_size=2),
    st.lists(st.floats() | st.text(max_size=3), max_size=4),
    st.just(object()),
    st.just({1, 2}),
    shapes,
    sources,
)


def paths(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in nested dicts and lists."""
    inner: list[tuple[Any, ...]] = [here] if here else []
    keys = data.keys() if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        inner += paths(data[key], (*here, key))
    return inner


@st.composite
def damaged_scenes(draw: st.DrawFn) -> dict[str, Any]:
    """A valid scene with up to three things replaced, removed, renamed or added."""
    data = copy.deepcopy(draw(scenes))
    for _ in range(draw(st.integers(1, 3))):
        places = paths(data)
        if not places:
            break
        *above, last = draw(st.sampled_from(places))
        owner = data
        for key in above:
            owner = owner[key]
        act = draw(st.sampled_from(["replace", "replace", "remove", "add"]))
        if act == "replace":
            owner[last] = copy.deepcopy(draw(junk))
        elif act == "remove":
            del owner[last]
        elif isinstance(owner, dict):
            name = draw(st.text(max_size=8) | st.sampled_from(["radius", "kind", "size", "count"]))
            owner[name] = copy.deepcopy(draw(junk))
    return data


anything = st.recursive(
    junk,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=12,
)
