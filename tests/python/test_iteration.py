"""Runs step by step: what iterate() gives, parameters that change on the way, stops."""

import inspect
import threading

import backlit as bl
import numpy as np
import pytest

GRID = bl.volume((6, 16, 16), voxel=12.0)
CONE = bl.circular(20, (12, 24), 16.0, 500.0, 900.0)


@pytest.fixture(scope="module")
def A():
    return bl.operator(GRID, CONE, device="cpu")


@pytest.fixture(scope="module")
def y(A):
    return A(np.asarray(bl.phantom("shepp-logan-3d", GRID)))


def apart(a, b):
    return np.linalg.norm(np.asarray(a) - b) / np.linalg.norm(b)


@pytest.mark.parametrize("name, plain, other", [
    ("sirt", {}, {"relaxation": 0.5, "nonnegative": True}),
    ("ossart", {"subsets": 5}, {"relaxation": 0.3}),
    ("fista", {}, {"relaxation": 0.6}),
    ("pwls", {"subsets": 1, "strength": 1e-4}, {"strength": 0.1}),
    ("asdpocs", {"subsets": 4, "noise": 1e-6}, {"tv_length": 0.05, "upper": 0.03})])
def test_a_steered_run_goes_on_as_a_new_one_from_its_volume_would(A, y, name, plain, other):
    it = bl.iterate(name, A, y, iterations=5, **plain)
    for step in it:
        if step.iteration == 2:
            there = step.volume
            it.steer(**other)
    assert step.iteration == 7 and len(it.residuals) == 7 and step.done == step.total
    fresh = getattr(bl, name)(A, y, iterations=5, initial=there, **{**plain, **other})
    assert apart(step.volume, fresh) < (2e-3 if name == "asdpocs" else 1e-4)
    assert apart(getattr(bl, name)(A, y, iterations=5, initial=there, **plain), fresh) > 5e-3


def test_more_iterations_after_the_last_one(A, y):
    it = bl.iterate("cgls", A, y, iterations=3)
    assert [s.iteration for s in it] == [1, 2, 3]
    assert next(it, None) is None
    it.steer(iterations=4)
    steps = list(it)
    assert [s.iteration for s in steps] == [4, 5, 6, 7]
    assert apart(steps[-1].volume, bl.cgls(A, y, iterations=7)) < 1e-6
    it.steer()
    assert len(list(it)) == 4  # as many as before


def test_total_variation_takes_its_weight(A, y):
    strong = bl.tv(A, y, iterations=150, lambda_=20, subsets=1)
    it = bl.iterate("tv", A, y, iterations=5, lambda_=0.01, subsets=1)
    weak = [s.volume for s in it][-1]
    it.steer(lambda_=20, iterations=150)
    steered = [s.volume for s in it][-1]
    assert apart(steered, strong) < 0.02 < 0.1 < apart(weak, strong)


def test_what_may_change_is_listed(A, y):
    for name in bl.method_names():
        doc = getattr(bl, name).__doc__
        listed = doc.partition("May change on the way")[2].partition(": ")[2].partition("\n")[0].split(", ")
        if name in ("fdk", "hfdk", "ifdk", "sart_in_place"):
            assert listed == [""]
            continue
        assert {"iterations", "stop_residual", "noise"} <= set(listed)
        assert set(listed) < set(inspect.signature(getattr(bl, name)).parameters)
    assert "strength" in bl.iterate("pwls", A, y).steers and "lambda_" in bl.iterate("tv", A, y).steers


@pytest.mark.parametrize("parameters, names", [
    ({"mask": "cylinder"}, "mask: does not change.*strength"),
    ({"subsets": 4}, "subsets: does not change"),
    ({"strength": -1}, "strength"),
    ({"strength": "much"}, "strength"),
    ({"no_such": 1}, "no_such"),
    ({"lambda_": 1}, "lambda")])
def test_what_does_not_steer_is_named_and_changes_nothing(A, y, parameters, names):
    it = bl.iterate("pwls", A, y, iterations=3, strength=1e-4)
    next(it)
    with pytest.raises(bl.InputError, match=names) as error:
        it.steer(**{"strength": 0.5, **parameters})
    assert "\n" not in str(error.value)
    assert apart([s.volume for s in it][-1], bl.pwls(A, y, iterations=3, strength=1e-4)) == 0


def test_runs_that_cannot_be_steered_say_so(A, y):
    for name in ("fdk", "ifdk"):
        it = bl.iterate(name, A, y)
        with pytest.raises(bl.Unsupported, match=name):
            it.steer(iterations=3)
    events = bl.simulate_events("water-cylinder", "small_animal", counts=500, seed=2)
    it = bl.iterate("mlem", events, volume=bl.volume((4, 8, 8), 6.0), iterations=2, sensitivity_pairs=1000, device="cpu")
    assert it.steers == []
    with pytest.raises(bl.Unsupported, match="PET"):
        it.steer(iterations=3)
    assert [s.iteration for s in it] == [1, 2]


def test_a_closed_run_has_ended(A, y):
    it = bl.iterate("sirt", A, y, iterations=50)
    step = next(it)
    assert "sirt on cpu" in repr(it) and "iteration 1" in repr(it)
    it.close()
    assert list(it) == [] and "closed" in repr(it) and step.volume.shape == GRID.shape
    with pytest.raises(bl.InputError, match="closed"):
        it.steer(relaxation=0.5)


def test_other_threads_may_steer(A, y):
    it = bl.iterate("sirt", A, y, iterations=1000000)
    next(it)
    other = threading.Thread(target=lambda: it.steer(iterations=1))
    other.start()
    seen = [s.iteration for s in it]
    other.join()
    assert seen[-1] < 1000000


def test_rules_that_end_a_run_are_told(A, y):
    steps = list(bl.iterate("cgls", A, y, iterations=50, stop_residual=0.02))
    assert 2 < len(steps) < 50 and steps[-1].residual <= 0.02
    assert steps[0].stopped_by == "" and "0.02" in steps[-1].stopped_by and "stopped by residual" in repr(steps[-1])


@pytest.mark.parametrize("answer, calls", [(np.bool_(True), 1), (True, 1), (None, 6), (False, 6), (np.bool_(False), 6)])
def test_callbacks_stop_by_true(A, y, answer, calls):
    seen = []

    def look(step):
        seen.append(step)
        return answer

    bl.sirt(A, y, iterations=6, callback=look)
    assert len(seen) == calls


def test_ctrl_c_stops_a_method(interrupted):
    code = """
import numpy as np, backlit as bl
A = bl.operator(bl.volume(48), bl.circular(60, (48, 48), 1.5, 300, 500), device="cpu")
try:
    bl.sirt(A, np.ones(A.range_shape, np.float32), iterations=100000, callback=lambda step: print("begin", flush=True))
except KeyboardInterrupt:
    print("stopped")
"""
    assert interrupted(code)[-1] == "stopped"


def test_the_method_that_suits_the_scan(A, y):
    np.testing.assert_array_equal(bl.reconstruct(A, y, filter="hann"), bl.fdk(A, y, filter="hann"))
    np.testing.assert_array_equal(bl.reconstruct(A, y, method="sirt", iterations=2), bl.sirt(A, y, iterations=2))
    helix = bl.helical(120, (12, 24), 16.0, 500.0, 900.0, pitch=60.0, arc=1080)
    views = bl.simulate("shepp-logan-3d", helix)
    for scan in (bl.scan(helix, views, GRID), bl.operator(GRID, helix, device="cpu")):
        given = () if isinstance(scan, bl.Scan) else (views,)
        found = bl.reconstruct(scan, *given, device="cpu")
        np.testing.assert_array_equal(found, bl.hfdk(bl.scan(helix, views, GRID), device="cpu"))
    with pytest.raises(bl.InputError, match="hfdk"):
        bl.fdk(scan, views)
    with pytest.raises(bl.InputError, match="magic"):
        bl.reconstruct(A, y, method="magic")
    events = bl.simulate_events("water-cylinder", "small_animal", counts=500, seed=2)
    grid = bl.volume((4, 8, 8), 6.0)
    how = dict(volume=grid, iterations=1, subsets=2, sensitivity_pairs=1000, device="cpu")
    np.testing.assert_array_equal(bl.reconstruct(events, **how), bl.osem(events, **how))
