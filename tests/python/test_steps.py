"""Every step is a function whose results are those of the program, and whose errors are about its arguments."""
import inspect
import json
import os
import shlex
import signal
import threading

import armilla
import numpy as np
import pytest
from armilla.calls import argument_name, table
from program import armilla as program

NSIDE, LMAX = 8, 12
NPIX = 12 * NSIDE**2


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder with the inputs, and the inputs as objects by name."""
    folder = tmp_path_factory.mktemp("steps")
    random = np.random.default_rng(5)
    degrees = np.arange(LMAX + 1)
    cl = armilla.Spectra(1 / (1 + degrees[np.newaxis] + np.arange(4)[:, np.newaxis]) * [[1], [1], [1], [0.5]], unit="uK^2")
    objects = {"cl": cl, "tt": armilla.Spectra(cl["TT"]), "window": armilla.Spectra(np.exp(-degrees**2 / 100.0), ["B"])}
    objects["sky_alm"] = armilla.random_alm(cl, fields=["T", "E", "B"], lmax=LMAX, seed=4)
    objects["other_alm"] = armilla.random_alm(cl, fields=["T", "E", "B"], lmax=LMAX, seed=5)
    objects["t_alm"] = armilla.random_alm(cl, fields=["T"], lmax=LMAX, seed=6)
    objects["phi"] = armilla.scale(objects["t_alm"], factor=1e-3, units="rad")
    objects["sky"] = armilla.Map(random.standard_normal((3, NPIX)), units="uK", coordsys="G")
    objects["other"] = armilla.Map(random.standard_normal((3, NPIX)), units="uK", coordsys="G")
    objects["qu"] = armilla.Map(random.standard_normal((2, NPIX)))
    objects["t"] = armilla.Map(random.standard_normal(NPIX))
    objects["mask"] = armilla.Map((np.arange(NPIX) > NPIX // 5).astype(float), fields=["MASK"])
    objects["wind"] = armilla.Map(random.standard_normal((2, NPIX)), fields=["V_THETA", "V_PHI"])
    objects["shift"] = armilla.Map(1e-3 * random.standard_normal((2, NPIX)), fields=["V_THETA", "V_PHI"])
    objects["wind_alm"] = armilla.analysis(objects["wind"], lmax=LMAX)
    objects["points"] = armilla.Points(np.arccos(random.uniform(-1, 1, 400)), random.uniform(0, 6, 400))
    objects["values"] = armilla.Values(random.standard_normal(400), objects["points"])
    objects["needlet_0"] = armilla.convolve(objects["t"], kernel={"needlet": {"scale": 2, "part": "below"}})
    objects["needlet_1"] = armilla.convolve(objects["t"], kernel={"needlet": {"scale": 2}})
    for name, value in objects.items():
        value.write(folder / f"{name}.h5")
    return folder, objects


# For each case: the step, the arguments of the program after it, without the result, and the call.
CASES = [
    ("random_alm", "--spectrum cl.h5 --fields T,E,B --lmax 9 --seed 3", lambda o: armilla.random_alm(
        o["cl"], fields=["T", "E", "B"], lmax=9, seed=3)),
    ("synthesis", "sky_alm.h5 --grid gauss:14 --only T,E", lambda o: armilla.synthesis(
        o["sky_alm"], grid="gauss:14", only=["T", "E"])),
    ("analysis", "sky.h5 --lmax 12 --method jacobi=2", lambda o: armilla.analysis(
        o["sky"], lmax=12, method={"jacobi": 2})),
    ("analysis", "sky.h5 --lmax 9 --method '{cg: {mask: mask}}' --input mask=mask.h5", lambda o: armilla.analysis(
        o["sky"], lmax=9, method={"cg": {"mask": o["mask"]}})),
    ("analysis", "t.h5 --lmax 9 --method '{cg: {inverse_variance: weights}}' --input weights=mask.h5",
     lambda o: armilla.analysis(o["t"], lmax=9, method={"cg": {"inverse_variance": o["mask"].values[0]}})),
    ("adjoint_synthesis", "sky.h5 --lmax 12 --mmax 5", lambda o: armilla.adjoint_synthesis(o["sky"], lmax=12, mmax=5)),
    ("adjoint_analysis", "sky_alm.h5 --grid gauss:14", lambda o: armilla.adjoint_analysis(o["sky_alm"], grid="gauss:14")),
    ("gradient", "t_alm.h5 --grid gauss:14 --axes east_north", lambda o: armilla.gradient(
        o["t_alm"], grid="gauss:14", axes="east_north")),
    ("adjoint_gradient", "wind.h5 --lmax 12", lambda o: armilla.adjoint_gradient(o["wind"], lmax=12)),
    ("synthesis_at", "sky_alm.h5 --points points.h5", lambda o: armilla.synthesis_at(o["sky_alm"], o["points"])),
    ("adjoint_synthesis_at", "values.h5 --lmax 12", lambda o: armilla.adjoint_synthesis_at(o["values"], lmax=12)),
    ("adjoint_synthesis_at", "points.h5 --lmax 12", lambda o: armilla.adjoint_synthesis_at(o["points"], lmax=12)),
    ("analysis_at", "values.h5 --lmax 5", lambda o: armilla.analysis_at(o["values"], lmax=5)),
    ("gradient_at", "t_alm.h5 --points points.h5", lambda o: armilla.gradient_at(o["t_alm"], o["points"])),
    ("lens", "sky_alm.h5 --potential phi.h5 --grid healpix:8", lambda o: armilla.lens(
        o["sky_alm"], potential=o["phi"], grid="healpix:8")),
    ("pointing", "shift.h5", lambda o: armilla.pointing(o["shift"])),
    ("lens_adjoint", "sky.h5 --potential phi.h5 --lmax 12 --weights grid", lambda o: armilla.lens_adjoint(
        o["sky"], potential=o["phi"], lmax=12, weights="grid")),
    ("inverse_deflection", "--potential phi.h5 --lmax 12", lambda o: armilla.inverse_deflection(
        potential=o["phi"], lmax=12)),
    ("convert_vector", "wind_alm.h5 --to vorticity_divergence", lambda o: armilla.convert_vector(
        o["wind_alm"], to="vorticity_divergence")),
    ("regrid", "sky.h5 --grid gauss:20 --lmax 12", lambda o: armilla.regrid(o["sky"], grid="gauss:20", lmax=12)),
    ("smooth", "sky_alm.h5 --fwhm-arcmin 600", lambda o: armilla.smooth(o["sky_alm"], fwhm_arcmin=600)),
    ("multiply", "sky.h5 --with t.h5", lambda o: armilla.multiply(o["sky"], o["t"])),
    ("multiply", "sky_alm.h5 --by-window window.h5", lambda o: armilla.multiply(
        o["sky_alm"], by={"window": o["window"]})),
    ("convolve", "t.h5 --kernel-gaussian-fwhm-arcmin 900 --mask mask.h5 --normalise", lambda o: armilla.convolve(
        o["t"], mask=o["mask"], kernel={"gaussian": {"fwhm_arcmin": 900}}, normalise=True)),
    ("reconstruct", "--kernels '[{map: a, needlet: {scale: 2, part: below}}, {map: b, needlet: {scale: 2}}]' --grid healpix:8 "
     "--input a=needlet_0.h5 --input b=needlet_1.h5", lambda o: armilla.reconstruct(
         kernels=[{"map": o["needlet_0"], "needlet": {"scale": 2, "part": "below"}},
                  {"map": o["needlet_1"], "needlet": {"scale": 2}}], grid="healpix:8")),
    ("scale", "sky.h5 --factor 2.5", lambda o: armilla.scale(o["sky"], factor=2.5)),
    ("add", "sky_alm.h5 --with other_alm.h5 --factors 1,-2", lambda o: armilla.add(
        o["sky_alm"], o["other_alm"], factors=[1, -2])),
    ("resize", "sky_alm.h5 --lmax 7", lambda o: armilla.resize(o["sky_alm"], lmax=7)),
    ("rotate", "sky_alm.h5 --from G --to C", lambda o: armilla.rotate(o["sky_alm"], from_="G", to="C")),
    ("mask", "sky.h5 --mask mask.h5", lambda o: armilla.mask(o["sky"], o["mask"])),
    ("select", "sky_alm.h5 --fields E", lambda o: armilla.select(o["sky_alm"], fields=["E"])),
    ("leakage", "qu.h5 --mask mask.h5 --lmax 12", lambda o: armilla.leakage(o["qu"], o["mask"], lmax=12)),
    ("spectra", "sky_alm.h5 --with other_alm.h5", lambda o: armilla.spectra(o["sky_alm"], o["other_alm"])),
]

# Steps that are available in job files only: the inputs, the keys, and the call.
JOBS = [
    ("decouple", "cl: {spectra: tt.h5}, mask: {map: mask.h5}", "spectra: cl, mask: mask, bin: 2",
     lambda o: armilla.decouple(o["tt"], o["mask"], bin=2)),
]


def compare(found, expected):
    assert type(found) is type(expected)
    assert found.metadata == expected.metadata
    np.testing.assert_array_equal(found.values, expected.values)


@pytest.mark.parametrize("step,arguments,call", CASES, ids=[f"{case[0]}-{i}" for i, case in enumerate(CASES)])
def test_results_are_those_of_the_verb(data, step, arguments, call):
    folder, objects = data
    out = "out=result.h5" if step == "leakage" else "result.h5"
    program(folder, step, *shlex.split(arguments), "-o", out)
    result = call(objects)
    compare(result.out if step == "leakage" else result, armilla.read(folder / "result.h5"))


@pytest.mark.parametrize("step,inputs,keys,call", JOBS, ids=[case[0] for case in JOBS])
def test_results_are_those_of_a_job(data, step, inputs, keys, call):
    folder, objects = data
    (folder / "job.yaml").write_text(f"version: 1\ninputs: {{{inputs}}}\nsteps: [{step}: {{{keys}, out: x}}]\n"
                                     "outputs: {x: {file: result.h5}}\n")
    program(folder, "run", "job.yaml")
    compare(call(objects), armilla.read(folder / "result.h5"))


def test_compare_reports_what_the_verb_does(data):
    folder, objects = data
    program(folder, "compare", "sky_alm.h5", "--reference", "other_alm.h5", "--report", "report.json")
    expected = json.loads((folder / "report.json").read_text())["comparisons"][0]
    assert armilla.compare(objects["sky_alm"], objects["other_alm"])["relative_rms"] == expected["relative_rms"]


def test_statistics_are_those_of_numpy(data):
    _, objects = data
    many = armilla.random_alm(objects["cl"], fields=["T"], lmax=LMAX, seed=1, maps=6)
    cl = armilla.spectra(many)
    assert cl.values.shape == (6, 1, LMAX + 1)
    found = armilla.statistics(cl)
    np.testing.assert_allclose(found.mean.values[0], cl.values[:, 0].mean(0), rtol=1e-14)
    # Rounding of sums of 6 terms, relative to the variances.
    expected = np.cov(cl.values[:, 0].T)
    np.testing.assert_allclose(found.covariance[0], expected, atol=1e-14 * expected.max())


def test_every_step_has_a_function_with_its_keys():
    covered = {case[0] for case in CASES + JOBS} | {"compare", "statistics"}
    assert covered == {step["name"] for step in table()["steps"]}
    for step in table()["steps"]:
        function = getattr(armilla, step["name"])
        parameters = inspect.signature(function).parameters
        first = step["first"] if len(step["first"]) > 1 else []
        for key in step["keys"]:
            if key["name"] != "out" and key["name"] not in first:
                assert argument_name(key["name"]) in parameters
                assert f"\n{argument_name(key['name'])}: " in inspect.getdoc(function)


def test_operands_may_be_files_and_arrays(data):
    folder, objects = data
    expected = armilla.analysis(objects["t"], lmax=8)
    compare(armilla.analysis(folder / "t.h5", lmax=8), expected)
    array = armilla.analysis(objects["t"].values[0], lmax=8)
    assert type(array) is np.ndarray
    np.testing.assert_array_equal(array, expected.values[0])
    window = objects["window"].values[0]
    smooth = armilla.multiply(objects["t_alm"].values[0], by={"window": window})
    expected = armilla.multiply(folder / "t_alm.h5", by={"window": folder / "window.h5"})
    np.testing.assert_array_equal(smooth, expected.values[0])
    on_map = armilla.synthesis(objects["t_alm"], grid=objects["sky"])
    compare(on_map, armilla.synthesis(objects["t_alm"], grid="healpix:8"))


def test_arrays_have_the_fields_and_limits_that_inputs_state(data):
    _, objects = data
    found = armilla.adjoint_gradient(objects["wind"].values, lmax=LMAX, inputs={"map": {"fields": ["V_THETA", "V_PHI"]}})
    np.testing.assert_array_equal(found, armilla.adjoint_gradient(objects["wind"], lmax=LMAX).values)
    short = armilla.resize(objects["t_alm"], lmax=LMAX, mmax=3)
    found = armilla.synthesis(short.values[0], grid="gauss:14", inputs={"alm": {"mmax": 3}})
    np.testing.assert_array_equal(found, armilla.synthesis(short, grid="gauss:14").values[0])


def test_results_are_in_the_precision_of_the_operands(data):
    _, objects = data
    single = objects["t"].values.astype(np.float32)
    found = armilla.analysis(single[0], lmax=8)
    assert found.dtype == np.complex64
    np.testing.assert_array_equal(found, armilla.analysis(single[0].astype(float), lmax=8,
                                                          execution={"precision": "single"}))


def test_further_results_come_as_a_named_tuple(data):
    _, objects = data
    found = armilla.leakage(objects["qu"], objects["mask"], lmax=8, template=True)
    assert found._fields == ("out", "b_map", "template", "alm")
    assert found.b_map is None and isinstance(found.template, armilla.Map)


def test_several_kernels_have_results_by_name(data):
    folder, objects = data
    kernels = [{"name": "wide", "gaussian": {"fwhm_arcmin": 900}}, {"name": "scale", "needlet": {"scale": 2}}]
    found = armilla.convolve(objects["t"], kernels=kernels)
    assert list(found) == ["wide", "scale"]
    program(folder, "convolve", "t.h5", "--kernels", json.dumps(kernels), "-o", "scale=result.h5")
    compare(found["scale"], armilla.read(folder / "result.h5"))


@pytest.mark.parametrize("call,words", [
    (lambda o: armilla.analysis(o["sky"], lmax=4000),
     "analysis(lmax=4000) exceeds 3 nside - 1 = 23 of map 'map' (aliased): lower lmax, or set allow_aliasing=True"),
    (lambda o: armilla.analysis(o["sky"], lmax=8, method={"jacobi": {"iterations": -1}}),
     "analysis(method={'jacobi': {'iterations': -1}}) is not an integer in 0 .. 1000000"),
    (lambda o: armilla.smooth(o["sky"], fwhm_arcmin=3), "smooth(alm) is a Map, but needs an Alm: use armilla.analysis()"),
    (lambda o: armilla.smooth("none.h5", fwhm_arcmin=3), "smooth(alm='none.h5')"),
    (lambda o: armilla.rotate(o["sky_alm"], to="C", from_="X"), "rotate(from_='X')"),
    (lambda o: armilla.lens(o["sky_alm"], grid="healpix:8"), "lens()"),
    (lambda o: armilla.analysis(np.full(NPIX, np.nan), lmax=8), "set inputs={'map': {'bad_data': 'zero'}}"),
    (lambda o: armilla.analysis(np.ones(100), lmax=8), "analysis(map): Map: 100 pixels are not those of a HEALPix map"),
    (lambda o: armilla.analysis(np.ones(NPIX, object), lmax=8), "dtype object"),
    (lambda o: armilla.analysis(o["sky"], lmax=8, execution={"precision": "half"}),
     "analysis(execution={'precision': 'half'})"),
    (lambda o: armilla.analysis(o["sky"], lmax=8, inputs={"mask": {"fields": ["T"]}}), "no such operand: use one of map"),
    (lambda o: armilla.analysis(np.ma.masked_less(np.arange(NPIX), 9), lmax=8), "analysis(map): the values are a masked array"),
    (lambda o: armilla.analysis([np.ma.zeros(NPIX)] * 3, lmax=8), "masked array, whose mask would be lost"),
    (lambda o: armilla.analysis([o["sky"], o["sky"]], lmax=8), "a list of Map, whose names and units would be lost"),
    (lambda o: armilla.run("{steps: []}", {"sky": np.ma.zeros(NPIX)}), "inputs: sky: the values are a masked array"),
    (lambda o: armilla.add(o["sky"], 3), "add(with_): 3 is no map: use number=3"),
    (lambda o: armilla.multiply(o["sky_alm"], by=np.ones(9)), "multiply(by) is an array: pass a dict such as {'window': ...}"),
    (lambda o: armilla.synthesis_at(o["sky_alm"], np.ones(7)), "pass armilla.Points(theta, phi)"),
])
def test_errors_are_about_arguments(data, call, words):
    with pytest.raises(armilla.InputError) as caught:
        call(data[1])
    assert words in str(caught.value)


def test_errors_have_parts(data):
    with pytest.raises(armilla.InputError) as caught:
        armilla.analysis(data[1]["sky"], lmax=4000)
    assert (caught.value.key, caught.value.value) == ("lmax", "4000")
    assert caught.value.section == "steps[0].analysis"


def test_warnings_are_those_of_python(data):
    alm = data[1]["t_alm"].copy()
    alm.values[0, 3] += 1j
    with pytest.warns(armilla.ArmillaWarning, match="imaginary") as caught:
        armilla.synthesis(alm, grid="gauss:14")
    assert caught[0].filename == __file__


def test_progress_is_reported_and_ends_a_call(data):
    told = []
    armilla.analysis(data[1]["sky"], lmax=8, progress=lambda fraction, what: told.append((fraction, what)))
    assert told and all(0 <= fraction <= 1 for fraction, _ in told)

    def stop(fraction, what):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        armilla.analysis(data[1]["sky"], lmax=8, progress=stop)


def test_interrupts_end_a_call():
    # Some seconds of work on any machine.
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            armilla.analysis(np.ones(12 * 256**2), lmax=700, method={"jacobi": 100})
    finally:
        timer.join()


def test_docstrings_have_the_words_of_python():
    assert "one of quadrature, ring_weights, pixel_weights, jacobi" in " ".join(armilla.analysis.__doc__.split())
    assert "jacobi: Analysis" in armilla.steps.__doc__ and 'by={"window": "FILE"}' in armilla.smooth.__doc__
    assert "'with_' and 'number'" in " ".join(armilla.add.__doc__.split())
