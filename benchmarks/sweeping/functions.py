"""The documented public functions of a package."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

STDLIB = """
abc argparse array ast asyncio base64 bisect builtins bz2 calendar cmath codecs collections
colorsys compileall concurrent.futures configparser contextlib copy csv ctypes.util dataclasses
datetime dbm decimal difflib dis doctest email email.utils enum faulthandler filecmp fileinput
fnmatch fractions functools gc getpass gettext glob gzip hashlib heapq hmac html http.client
http.cookiejar imaplib importlib importlib.metadata importlib.resources importlib.util inspect io
ipaddress itertools json keyword linecache locale logging logging.config lzma mailbox marshal math
mimetypes mmap multiprocessing netrc numbers operator os os.path pathlib pdb pickle pickletools
pkgutil platform plistlib pprint profile py_compile queue quopri random re readline reprlib runpy
sched secrets select shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat
statistics string struct subprocess symtable sys sysconfig tarfile tempfile textwrap threading time
timeit token tokenize tomllib traceback tracemalloc types typing unicodedata unittest unittest.mock
urllib.parse urllib.request uuid venv warnings wave weakref webbrowser wsgiref.util xml.dom.minidom
xml.etree.ElementTree xml.sax xmlrpc.client zipapp zipfile zlib zoneinfo
""".split()

PACKAGES: dict[str, list[str]] = {
    "stdlib": STDLIB,
    **{
        name: [name]
        for name in "numpy scipy pandas polars networkx sklearn skimage sympy statsmodels seaborn "
        "matplotlib.pyplot requests httpx jinja2 rich click werkzeug babel xarray more_itertools "
        "boltons".split()
    },
}

_SKIPPED_PARTS = {
    "tests",
    "test",
    "testing",
    "conftest",
    "setup",
    "f2py",
    "distutils",
    "sandbox",
    "externals",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A function and where it was found; or, with a reason, a skip."""

    place: str
    function: Callable[..., Any] | None
    skipped: str = ""


def functions(package: str) -> Iterator[Found]:
    """Yield each documented public function of a package once, and what had to be skipped.

    Args:
        package: A key of `PACKAGES`.
    """
    seen: set[int] = set()
    for name in _modules(package):
        try:
            module = importlib.import_module(name)
        except BaseException as error:
            yield Found(name, None, f"module does not import: {type(error).__name__}: {error}")
            continue
        for attribute in _public(module):
            value = getattr(module, attribute, None)
            if id(value) in seen or not _is_own_function(value, package):
                continue
            seen.add(id(value))
            yield _found(f"{name}.{attribute}", value)


def _found(place: str, function: Callable[..., Any]) -> Found:
    if not (isinstance(function.__doc__, str) and function.__doc__.strip()):
        return Found(place, None, "no documentation")
    try:
        inspect.signature(function)
    except (ValueError, TypeError):
        return Found(place, None, "no signature: not even inspect can read one")
    return Found(place, function)


def _modules(package: str) -> Iterator[str]:
    for root in PACKAGES[package]:
        yield root
        if package in ("stdlib", "matplotlib.pyplot"):
            continue
        top = importlib.import_module(root)
        for info in pkgutil.walk_packages(top.__path__, f"{root}.", onerror=lambda _: None):
            parts = set(info.name.split("."))
            if not any(p.startswith(("_", "test_")) for p in parts) and not parts & _SKIPPED_PARTS:
                yield info.name


def _public(module: ModuleType) -> list[str]:
    declared = getattr(module, "__all__", None)
    if declared is not None:
        return sorted({str(name) for name in declared})
    return sorted(name for name in dir(module) if not name.startswith("_"))


def _is_own_function(value: object, package: str) -> bool:
    if isinstance(value, type | ModuleType) or not callable(value):
        return False
    if not isinstance(getattr(value, "__name__", None), str):
        return False
    if package == "stdlib":
        return True
    home = getattr(value, "__module__", None) or package
    return str(home).split(".")[0] in (package.split(".")[0], "builtins", "numpy")
