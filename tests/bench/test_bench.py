"""What is known of the bench without booting it: it has the packages that are required and all that it imports."""

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCH = Path(__file__).parent
PREPARE = (BENCH / "prepare").read_text()
IN_THE_GUEST = sorted(
    [
        *(one for one in BENCH.glob("*.py") if one.name not in ("test_bench.py", "webcam.py")),
        *(ROOT / "tests/hardware" / one for one in ("test_camera_contract.py", "test_panel_contract.py")),
    ]
)
OURS = ("benchmarks", "calibration", "companion", "hardware", "tests", "web")
BY_PACKAGE = {"opencv-python-headless": "cv2", "pillow": "PIL", "paho-mqtt": "paho"}


def pins(path):
    found = re.findall(r"^([A-Za-z0-9.-]+)==([^\s;\\]+)", path.read_text(), re.MULTILINE)
    return {name.lower(): version for name, version in found}


def listed(name):
    """What an array of `prepare` holds."""
    return re.search(rf"^{name}=\((.*?)\)", PREPARE, re.MULTILINE | re.DOTALL)[1].split()


def test_the_guest_has_the_packages_that_are_required_and_no_others():
    assert "install --require-hashes --ignore-installed -r requirements.txt" in PREPARE
    named = set(listed("tests")) | set(pins(BENCH / "of_a_pi.txt"))
    assert not named & set(pins(ROOT / "requirements.txt"))
    assert "==" not in "".join(listed("tests"))
    assert set(listed("tests")) <= set(pins(ROOT / "requirements-dev.txt"))


def test_the_tests_run_on_the_versions_that_are_required():
    of_table, of_tests = pins(ROOT / "requirements.txt"), pins(ROOT / "requirements-dev.txt")
    assert {name: of_tests[name] for name in of_table} == of_table


@pytest.mark.parametrize("changed", ["requirements.txt", "requirements-dev.txt", "tests/bench/of_a_pi.txt"])
def test_a_changed_requirement_makes_the_tree_anew(tmp_path, changed):
    """`prepare` finds its tree made from something else."""
    for name in ("requirements.txt", "requirements-dev.txt", "tests/bench/of_a_pi.txt", "tests/bench/prepare"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "tree").mkdir()
    assert not is_made(tmp_path)
    is_made(tmp_path, then="made")
    assert is_made(tmp_path)
    (tmp_path / changed).write_text("click==0.1")
    assert not is_made(tmp_path)


def is_made(folder, then="is_made_from"):
    functions = "\n".join(re.findall(r"^(?:key_of|is_made_from|made)\(\) .*$", PREPARE, re.MULTILINE))
    wanted = re.search(r"local wanted=\((.*)\)", PREPARE)[1]
    script = f"cache={folder} project={folder} here={folder}/tests/bench\n{functions}\nwanted=({wanted})\n"
    script += f'{then} tree "$here/prepare" "${{wanted[@]}}"'
    return subprocess.run(["bash", "-c", script], check=False).returncode == 0


def imports(path):
    """What a module imports, wherever in it: (module, name)."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((one.name, None) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ".".join(path.relative_to(ROOT).with_suffix("").parts[: -node.level]) if node.level else ""
            module = ".".join(filter(None, (package, node.module)))
            yield from ((module, one.name) for one in node.names)


@pytest.mark.parametrize("path", IN_THE_GUEST, ids=lambda path: path.stem)
def test_what_a_test_in_the_guest_imports_of_ours_is_there(path):
    """Nobody runs it every day: a name that has moved would be noticed when somebody does."""
    for module, name in imports(path):
        if module.split(".")[0] in OURS and module != "tests.bench.virtual_camera":
            found = importlib.util.find_spec(module)
            assert found is not None, module
            assert name is None or has(found, name), f"{module} has no {name}"


def has(spec, name):
    """Whether a module names something, without running it: a package's modules are names too."""
    if spec.submodule_search_locations and any(
        (Path(one) / f"{name}.py").exists() for one in spec.submodule_search_locations
    ):
        return True
    return re.search(rf"\b{name}\b", Path(spec.origin).read_text()) is not None


def test_the_guest_has_every_package_that_its_tests_import():
    packages = {*pins(ROOT / "requirements.txt"), *pins(BENCH / "of_a_pi.txt"), *listed("tests")}
    there = (
        {BY_PACKAGE.get(one, one.replace("-", "_")) for one in packages}
        | sys.stdlib_module_names
        | {*OURS, "libcamera"}
    )
    seen, waiting = set(), [ROOT / "tests/conftest.py", ROOT / "tests/hardware/conftest.py", *IN_THE_GUEST]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        for module, _ in imports(path):
            assert module.split(".")[0] in there, f"{path.name} imports {module}"
            near = ROOT / Path(*module.split(".")).with_suffix(".py")
            if module.startswith("tests.") and near.exists() and near not in seen:
                waiting.append(near)


@pytest.mark.parametrize("script", ["tests/bench/run", "tests/appliance/boot"])
def test_every_guest_has_the_processor_that_the_bench_has_proved(script):
    said = (ROOT / script).read_text()
    assert "qemu-system-x86_64" in said
    assert re.findall(r"-(?:accel|cpu) \S+", re.sub(r"#.*", "", said)) == []
    assert '"${accelerated[@]}" -smp 2' in said
