"""What a whole picture shows: shadows, occlusion, glass, colours, files, and the same bits on any threads."""

from __future__ import annotations

import numpy as np
import pytest
from made_scenes import camera_at, empty_scene, frame_of, heap
from PIL import Image

from windrow.errors import SceneError
from windrow.render.colors import COLOR_NAMES, color_limits, grain_colors, linear, scale_color
from windrow.render.picture import Stage, draw, save_picture
from windrow.team import TEAM

SIZE = (160, 120)


def plain(frame, scene, camera=None, **options):
    return draw(frame, scene, camera, SIZE, captions=False, **options).astype(float)


def with_floor():
    scene = empty_scene()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand")
    return scene


def pixel(camera, point, size=SIZE):
    """Column and row at which a world point appears."""
    from windrow.render.camera import pinhole

    view = pinhole(camera, *size)
    x, y, z = view.seen(np.asarray([point], np.float64))[0]
    return int(x / z * view.focal + 0.5 * size[0]), int(y / z * view.focal + 0.5 * size[1])


def brightness(image, camera, point):
    column, row = pixel(camera, point)
    return image[row - 1 : row + 2, column - 1 : column + 2].mean()


def test_picture_has_the_size_and_type_asked_for():
    scene = with_floor()
    image = draw(frame_of(scene, heap()), scene, size=(200, 170), supersample=1)
    assert image.shape == (170, 200, 3)
    assert image.dtype == np.uint8


def test_sphere_is_drawn_around_its_projected_centre():
    scene = empty_scene()
    camera = camera_at((0.0, -4.0, 0.0))
    frame = frame_of(scene, [[0.5, 0.0, 0.3]], 0.2)
    difference = np.abs(plain(frame, scene, camera) - plain(frame_of(scene, []), scene, camera)).sum(axis=2)
    rows, columns = np.nonzero(difference > 20)
    expected = pixel(camera, (0.5, 0.0, 0.3))
    assert columns.mean() == pytest.approx(expected[0], abs=1.0)
    assert rows.mean() == pytest.approx(expected[1], abs=1.0)


def test_grain_casts_a_shadow_on_the_floor_away_from_the_light():
    scene = with_floor()
    camera = camera_at((0.0, -4.0, 3.0), (0.0, 0.0, 0.3))
    lit = plain(frame_of(scene, []), scene, camera)
    shaded = plain(frame_of(scene, [[0.0, 0.0, 0.5]], 0.3), scene, camera)
    # Seen from here the light comes from (−0.60, −0.40, 1): at height 0.5 the shadow moves by half of that.
    in_shadow, beside = (0.30, 0.20, 0.0), (-1.2, 0.2, 0.0)
    assert brightness(shaded, camera, in_shadow) < 0.8 * brightness(lit, camera, in_shadow)
    assert brightness(shaded, camera, beside) == pytest.approx(brightness(lit, camera, beside), abs=4.0)


def test_box_casts_a_shadow_on_grains():
    scene = with_floor()
    places = [[0.35, 0.2, 0.1], [-1.0, 0.2, 0.1]]
    camera = camera_at((0.0, -4.0, 3.0), (0.0, 0.0, 0.3))
    frame = frame_of(scene, places, 0.1)
    open_air = plain(frame, scene, camera)
    scene.add_box(position=(-0.1, -0.1, 0.9), size=(0.5, 0.5, 0.1), material="rock")
    roofed = plain(frame_of(scene, places, 0.1), scene, camera)
    top = np.array([0.0, 0.0, 0.1])
    assert brightness(roofed, camera, places[0] + top) < 0.8 * brightness(open_air, camera, places[0] + top)
    assert brightness(roofed, camera, places[1] + top) == pytest.approx(
        brightness(open_air, camera, places[1] + top), abs=6.0
    )


def test_a_gap_between_grains_is_darker_than_open_floor_even_out_of_the_sun():
    scene = with_floor()
    camera = camera_at((0.0, -3.0, 4.0))
    ring = [[0.4 * np.cos(a), 0.4 * np.sin(a), 0.2] for a in np.arange(6) * np.pi / 3]
    roof = [[-0.6 * 3, -0.4 * 3, 3.0]]
    alone = plain(frame_of(scene, roof, 0.9), scene, camera)
    framed = plain(frame_of(scene, ring + roof, [0.2] * 6 + [0.9]), scene, camera)
    assert brightness(framed, camera, (0, 0, 0)) < 0.93 * brightness(alone, camera, (0, 0, 0))


@pytest.mark.parametrize(("wall_y", "hidden"), [(-1.0, True), (1.0, False)])
def test_solid_wall_hides_grains_behind_it_only(wall_y, hidden):
    scene = empty_scene()
    scene.add_box(position=(0.0, wall_y, 0.0), size=(3.0, 0.1, 3.0), material="rock")
    camera = camera_at((0.0, -4.0, 0.0))
    without = plain(frame_of(scene, []), scene, camera)
    image = plain(frame_of(scene, [[0.0, 0.0, 0.0]], 0.3, material=[0]), scene, camera)
    change = np.abs(image - without).max()
    assert change < 3.0 if hidden else change > 30.0


def test_containers_are_glass():
    scene = empty_scene()
    scene.add_box(position=(0.0, 0.0, 0.0), size=(2.0, 2.0, 2.0), material="sand", inside=True)
    camera = camera_at((0.0, -5.0, 0.0))
    without = plain(frame_of(scene, []), scene, camera)
    image = plain(frame_of(scene, [[0.0, 0.0, 0.0]], 0.3), scene, camera)
    assert np.abs(image - without)[60, 80].max() > 30.0
    bare = empty_scene()
    nothing = plain(frame_of(bare, []), bare, camera)
    assert np.abs(without - nothing).max() > 5.0


def test_side_planes_are_hidden_and_floors_seen_from_below_too():
    camera = camera_at((0.0, -4.0, 1.0))
    scene = empty_scene()
    frame = frame_of(scene, [[0.0, 0.0, 0.0]], 0.3)
    bare = plain(frame, scene, camera)
    scene.add_plane(normal=(0, 1, 0), offset=-2.0, material="sand")
    scene.add_plane(normal=(0, 0, 1), offset=2.0, material="sand")
    walled = plain(frame_of(scene, [[0.0, 0.0, 0.0]], 0.3), scene, camera)
    assert np.array_equal(bare, walled)


def test_scene_that_is_still_empty_is_drawn():
    scene = empty_scene()
    region = {"kind": "sphere", "radius": 0.1}
    scene.add_emitter(region=region, position=(0, 0, 1), rate=10.0, radius=0.02, material="sand")
    assert draw(frame_of(scene, []), scene, size=SIZE).std() > 1.0


def test_links_are_drawn():
    scene = empty_scene()
    scene.add_rope(start=(-0.5, 0.0, 0.0), end=(0.5, 0.0, 0.0), segments=2, radius=0.02, material="sand")
    camera = camera_at((0.0, -2.0, 0.0))
    ends = [[-0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.0, 0.0]]
    linked = plain(frame_of(scene, ends, 0.06), scene, camera)
    loose = empty_scene()
    apart = plain(frame_of(loose, ends, 0.06), loose, camera)
    column, row = pixel(camera, (0.5 / 7 * 3, 0.0, 0.0))
    assert np.abs(linked - apart)[row, column].max() > 20.0


def test_one_and_two_threads_draw_the_same_bits():
    scene = with_floor()
    scene.add_box(position=(0.5, 0.2, 0.2), size=(0.3, 0.3, 0.4), material="rock", rotation_deg=(0, 0, 30))
    scene.add_box(position=(0.0, 0.0, 0.5), size=(1.0, 1.0, 1.0), material="sand", inside=True)
    frame = frame_of(scene, heap(8), 0.05)
    images = []
    before = TEAM.members
    for threads in (1, 2):
        TEAM.use(threads)
        images.append(draw(frame, scene, size=(320, 240), color_by="height"))
    TEAM.use(before)
    assert np.array_equal(*images)


def test_grains_that_are_not_numbers_are_left_out():
    scene = with_floor()
    camera = camera_at((0.0, -4.0, 1.0))
    good = plain(frame_of(scene, heap(4)), scene, camera)
    broken = plain(frame_of(scene, np.vstack([heap(4), [[np.nan, 0.0, np.inf]]])), scene, camera)
    assert np.array_equal(good, broken)


@pytest.mark.parametrize("name", COLOR_NAMES)
def test_every_colour_draws_a_frame_with_and_without_grains(name):
    scene = with_floor()
    for places in (heap(3), []):
        assert draw(frame_of(scene, places, 0.05), scene, size=SIZE, color_by=name).std() > 1.0


def test_unknown_colour_names_the_nearest():
    scene = with_floor()
    with pytest.raises(SceneError, match=r"unknown colour 'sped'.*'speed'"):
        draw(frame_of(scene, heap(2)), scene, color_by="sped")


@pytest.mark.parametrize(
    ("size", "supersample"), [((0, 100), 1), ((100, 20_000), 1), ((9000, 100), 2), ((64, 64), 9)]
)
def test_impossible_sizes_are_refused(size, supersample):
    scene = with_floor()
    with pytest.raises(SceneError, match=r"picture size|supersample"):
        draw(frame_of(scene, heap(2)), scene, size=size, supersample=supersample)


def test_speed_scale_runs_from_rest_to_the_fast_grains():
    scene = empty_scene()
    velocity = np.zeros((100, 3), np.float32)
    velocity[:, 0] = np.linspace(0.0, 2.0, 100)
    frame = frame_of(scene, np.zeros((100, 3)), velocity=velocity)
    low, high = color_limits(frame, "speed")
    assert low == 0.0
    assert high == pytest.approx(2.0, rel=0.06)
    colors, legend = grain_colors(frame, scene, "speed")
    assert legend.label == "speed, m/s"
    assert np.allclose(colors[0], linear(scale_color(0.0)), atol=1e-6)
    assert np.allclose(colors[-1], linear(scale_color(1.0)), atol=0.03)


def test_fixed_limits_give_a_grain_the_same_colour_in_every_frame():
    scene = empty_scene()
    slow = frame_of(scene, [[0, 0, 0]], velocity=np.array([[1.0, 0, 0]], np.float32))
    both = frame_of(scene, np.zeros((2, 3)), velocity=np.array([[1.0, 0, 0], [9.0, 0, 0]], np.float32))
    first, _ = grain_colors(slow, scene, "speed", (0.0, 10.0))
    second, _ = grain_colors(both, scene, "speed", (0.0, 10.0))
    assert np.array_equal(first[0], second[0])


def test_material_colours_come_from_the_scene():
    scene = empty_scene()
    frame = frame_of(scene, np.zeros((500, 3)), material=np.tile(np.array([0, 1], np.int32), 250))
    colors, legend = grain_colors(frame, scene, "material")
    assert np.allclose(colors[1::2].mean(axis=0), linear((0.4, 0.4, 0.5)), rtol=0.05)
    assert [name for name, _ in legend.swatches] == ["sand", "rock"]


def test_moving_obstacle_is_drawn_where_the_frame_has_it():
    scene = empty_scene()
    motion = {"kind": "linear", "velocity": (1.0, 0.0, 0.0)}
    scene.add_box(position=(-0.5, 0.0, 0.0), size=(0.2, 0.2, 0.2), material="rock", motion=motion)
    stage, camera = Stage(scene), camera_at((0.0, -4.0, 0.0))
    columns = []
    for time in (0.0, 1.0):
        image = stage.draw(frame_of(scene, [], time=time), camera, SIZE, captions=False).astype(float)
        off_background = np.abs(image - image[:, :1]).sum(axis=2)
        columns.append(np.nonzero(off_background > 20)[1].mean())
    assert columns[1] - columns[0] == pytest.approx(
        pixel(camera, (0.5, 0, 0))[0] - pixel(camera, (-0.5, 0, 0))[0], abs=2.0
    )


def test_picture_is_saved_as_it_is(tmp_path):
    image = np.random.default_rng(0).integers(0, 255, (40, 60, 3)).astype(np.uint8)
    save_picture(tmp_path / "a.png", image)
    assert np.array_equal(np.asarray(Image.open(tmp_path / "a.png")), image)
    assert [file.name for file in tmp_path.iterdir()] == ["a.png"]


def test_bad_picture_files_are_refused(tmp_path):
    image = np.zeros((4, 4, 3), np.uint8)
    with pytest.raises(SceneError, match=r"\.png"):
        save_picture(tmp_path / "a.txt", image)
    with pytest.raises(SceneError, match="does not exist"):
        save_picture(tmp_path / "nowhere" / "a.png", image)
