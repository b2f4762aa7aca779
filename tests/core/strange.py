"""Values, exceptions and names that no program should make, and some do."""

import asyncio
import socket

from toolreg import Image, MultiResult, ToolError


class Refuses(Exception):
    """What the strange things raise."""


def refuse(*args, **kwargs):
    raise Refuses("no")


def leave(*args, **kwargs):
    raise SystemExit(3)


def fooled(name, **methods):
    return type(name, (), methods)


class Liar:
    """Says it is something else."""

    def __init__(self, kind):
        self._kind = kind

    @property
    def __class__(self):
        return self._kind


class Faceless:
    @property
    def __class__(self):
        raise Refuses("class")


class Deaf:
    def __getattribute__(self, name):
        raise Refuses(name)


class Gone:
    def __getattr__(self, name):
        raise Refuses(name)


class Mean(type):
    """A metaclass that answers nothing."""

    def __getattribute__(cls, name):
        raise Refuses(name)


class Meaner(Mean):
    def __hash__(cls):
        raise Refuses("hash")

    def __eq__(cls, other):
        raise Refuses("eq")

    def __instancecheck__(cls, value):
        raise Refuses("instance")

    def __subclasscheck__(cls, value):
        raise Refuses("subclass")


class OfMean(metaclass=Mean):
    pass


class OfMeaner(metaclass=Meaner):
    pass


class Text(str):
    """Text whose methods refuse."""

    __slots__ = ()
    __len__ = __iter__ = __getitem__ = __eq__ = __hash__ = __repr__ = __str__ = refuse
    __contains__ = __add__ = __format__ = __bool__ = refuse
    encode = strip = isascii = split = isprintable = refuse


class Number(int):
    __str__ = __repr__ = __index__ = __int__ = __float__ = __format__ = refuse


class Rows(list):
    __iter__ = __len__ = __getitem__ = __bool__ = refuse


class Table(dict):
    __iter__ = __len__ = __getitem__ = __bool__ = keys = items = values = refuse


class Endless:
    """An iterable of itself."""

    def __iter__(self):
        return iter([self])


class Generous:
    """Has whatever is asked for."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __iter__(self):
        return iter(())


def deep(levels, wrap):
    value = "end"
    for _ in range(levels):
        value = wrap(value)
    return value


def cycle():
    value = {"a": []}
    value["a"].append(value)
    return value


def ring():
    value = []
    value.append(value)
    return value


def half():
    yield 1
    raise Refuses("midway")


def leaves_midway():
    yield 1
    raise SystemExit(2)


class Broken(MultiResult):
    def __iter__(self):
        raise Refuses("outcomes")


class Torn(Image):
    """An image that cannot be looked at."""

    __str__ = refuse

    @property
    def base64(self):
        raise Refuses("base64")


VALUES = {
    "cycle of dicts": cycle,
    "cycle of lists": ring,
    "deep lists": lambda: deep(100_000, lambda value: [value]),
    "deep dicts": lambda: deep(100_000, lambda value: {"k": value}),
    "deep tuples": lambda: deep(100_000, lambda value: (value,)),
    "ten megabytes": lambda: "x" * 10_000_000,
    "ten megabytes in a list": lambda: ["ä" * 10_000_000],
    "a long integer": lambda: 10**5000,
    "a long integer in a list": lambda: [10**5000],
    "floats without number": lambda: [float("nan"), float("inf"), {"a": -float("inf")}],
    "float without number": lambda: float("nan"),
    "surrogates": lambda: "a\ud800b",
    "surrogates within": lambda: {"\udfff": ["\ud800"]},
    "broken generator": half,
    "generator that leaves": leaves_midway,
    "broken generator within": lambda: [half()],
    "leaving generator within": lambda: [leaves_midway()],
    "endless": Endless,
    "generous": Generous,
    "faceless": Faceless,
    "deaf": Deaf,
    "gone": Gone,
    "of mean": OfMean,
    "of meaner": OfMeaner,
    "of meaner within": lambda: [OfMeaner(), {"a": OfMeaner()}],
    "a mean class": lambda: OfMeaner,
    "says it is text": lambda: Liar(str),
    "says it is a dict": lambda: Liar(dict),
    "says it is a result": lambda: Liar(MultiResult),
    "says it is an error": lambda: Liar(ToolError),
    "text that refuses": lambda: Text("abc"),
    "text that refuses within": lambda: {"a": Text("abc"), Text.__new__(str, "b"): 1},
    "number that refuses": lambda: Number(7),
    "rows that refuse": lambda: Rows([1]),
    "table that refuses": lambda: Table(a=1),
    "table that refuses within": lambda: [Table(a=1)],
    "no truth": lambda: fooled("T", __bool__=refuse)(),
    "no length": lambda: fooled("T", __len__=refuse)(),
    "no iteration": lambda: fooled("T", __iter__=refuse)(),
    "no items": lambda: fooled("T", keys=refuse, __getitem__=refuse)(),
    "no hash": lambda: fooled("T", __hash__=refuse, __eq__=refuse)(),
    "no text": lambda: fooled("T", __str__=refuse, __repr__=refuse)(),
    "leaves when read": lambda: fooled("T", __iter__=leave, tolist=leave, __len__=leave)(),
    "leaves when converted": lambda: [fooled("T", __float__=leave)()],
    "a method in place of a value": lambda: refuse,
    "a module": lambda: socket,
    "an exception": lambda: Refuses("value"),
    "an exception within": lambda: [Refuses("value")],
    "a memoryview": lambda: memoryview(b"abc\xff"),
    "bytes": lambda: b"\xff\xfe",
    "bytes within": lambda: {b"\xff": [b"\xff"]},
    "mixed keys": lambda: {1: "a", "1": "b", None: 2, (1, 2): 3, 1.5: 4, Refuses: 5},
    "a set of odds": lambda: {None, float("nan"), (1,)},
    "results that refuse": lambda: Broken(["a"]),
    "results of all kinds": lambda: MultiResult(
        [OfMeaner(), Text("x"), cycle(), Refuses("x"), half()]
    ),
    "results in results": lambda: MultiResult([MultiResult(["a", MultiResult()])]),
    "results that end": lambda: MultiResult([SystemExit(1), GeneratorExit(), KeyboardInterrupt()]),
    "image of text": lambda: Image("text"),
    "image of nothing": lambda: Image(None),
    "image of odd type": lambda: Image(b"abc", media_type=None, name=7),
    "image of odd address": lambda: [Image(url=7), Image(url=b"http://x")],
    "torn image": lambda: Torn(b"abc"),
    "torn image in results": lambda: MultiResult(["a", Torn(b"abc"), "b"]),
    "an empty image": Image,
    "an image of a surrogate": lambda: Image(
        b"a", name="\ud800", media_type="\ud800", url="\ud800"
    ),
}


def used():
    async def once():
        return 1

    coroutine = once()
    coroutine.close()
    return coroutine


def busy():
    while True:
        yield


async def broken_stream():
    yield 1
    raise Refuses("midway")


async def endless_stream():
    while True:
        yield 1
        await asyncio.sleep(0)


async def sleeps():
    await asyncio.sleep(3600)


async def sleeps_on():
    for _ in range(4):
        try:
            await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            pass


async def cancels_itself():
    raise asyncio.CancelledError


async def awaits_itself():
    await asyncio.current_task()


def promises(levels):
    async def promise():
        return promises(levels - 1) if levels else Refuses

    return promise()


AWAITABLES = {
    "refuses": lambda: fooled("P", __await__=refuse)(),
    "leaves": lambda: fooled("P", __await__=leave)(),
    "gives nothing": lambda: fooled("P", __await__=lambda self: None)(),
    "gives a list": lambda: fooled("P", __await__=lambda self: [1])(),
    "yields odds": lambda: fooled("P", __await__=lambda self: iter([1, "a", None]))(),
    "yields itself": lambda: fooled("P", __await__=lambda self: iter([self]))(),
    "breaks midway": lambda: fooled("P", __await__=lambda self: half())(),
    "leaves midway": lambda: fooled("P", __await__=lambda self: leaves_midway())(),
    "is no method": lambda: fooled("P", __await__=7)(),
    "used": used,
    "broken stream": broken_stream,
    "cancels itself": cancels_itself,
    "awaits itself": awaits_itself,
    "promises a promise": lambda: promises(20),
}

ENDLESS = {
    "sleeps": sleeps,
    "sleeps on": sleeps_on,
    "busy": lambda: fooled("P", __await__=lambda self: busy())(),
    "endless stream": endless_stream,
    "never set": lambda: fooled("P", __await__=lambda self: asyncio.Event().wait().__await__())(),
}


HEAVY = {
    "deep lists",
    "deep dicts",
    "deep tuples",
    "ten megabytes",
    "ten megabytes in a list",
    "a long integer",
    "a long integer in a list",
    "deep",
    "deep text",
    "deep list in a field",
    "open brackets",
    "many keys",
    "a long key",
    "a long number",
    "tool error of everything",
    "deep groups",
}


class NoText(Exception):
    __str__ = __repr__ = refuse


class TextIsNone(Exception):
    __str__ = lambda self: None


class TextIsText(Exception):
    def __str__(self):
        return Text("abc")


class TextLeaves(Exception):
    __str__ = __repr__ = leave


class TextEnds(Exception):
    def __str__(self):
        raise GeneratorExit


class TextRecurs(Exception):
    def __str__(self):
        return str(self)


class Hidden(Exception):
    def __getattribute__(self, name):
        raise Refuses(name)


class FacelessError(Exception):
    @property
    def __class__(self):
        raise Refuses("class")


class ToolErrorNoText(ToolError):
    __str__ = __repr__ = refuse


class ToolErrorLeaves(ToolError):
    __str__ = __repr__ = leave


class ToolErrorNoContent(ToolError):
    @property
    def content(self):
        raise Refuses("content")


class ToolErrorOddContent(ToolError):
    @property
    def content(self):
        return 7


class Foreign(BaseException):
    pass


class ForeignNoText(BaseException):
    __str__ = __repr__ = refuse


class MeanError(Exception, metaclass=Mean):
    pass


class MeanerError(Exception, metaclass=Meaner):
    pass


class GroupNoMembers(ExceptionGroup):
    @property
    def exceptions(self):
        raise Refuses("members")


def caused():
    error = ValueError("outer")
    error.__cause__ = NoText()
    error.__context__ = error
    return error


def noted():
    error = ValueError("outer")
    error.__notes__ = refuse
    return error


ERRORS = {
    "no text": NoText,
    "text is none": TextIsNone,
    "text refuses": TextIsText,
    "text leaves": TextLeaves,
    "text ends": TextEnds,
    "text recurs": TextRecurs,
    "hidden": Hidden,
    "faceless": FacelessError,
    "tool error without text": lambda: ToolErrorNoText("x"),
    "tool error that leaves": lambda: ToolErrorLeaves("x"),
    "tool error without content": lambda: ToolErrorNoContent("x"),
    "tool error of odd content": lambda: ToolErrorOddContent("x"),
    "tool error of nothing": ToolError,
    "tool error of everything": lambda: ToolError(*(make() for make in VALUES.values())),
    "tool error of a leaver": lambda: ToolError(fooled("T", __iter__=leave, __len__=leave)()),
    "tool error of an error": lambda: ToolError(NoText()),
    "tool error of an image": lambda: ToolError("x", Torn(b"a"), Image("text"), Image(None)),
    "tool error of surrogates": lambda: ToolError("\ud800"),
    "foreign": lambda: Foreign("x"),
    "foreign without text": ForeignNoText,
    "of a mean class": MeanError,
    "of a meaner class": MeanerError,
    "a group": lambda: ExceptionGroup("many", [NoText(), ValueError("x"), caused()]),
    "a group without members": lambda: GroupNoMembers("many", [ValueError("x")]),
    "a group of foreigners": lambda: BaseExceptionGroup("many", [Foreign("x"), SystemExit(1)]),
    "deep groups": lambda: deep(
        900, lambda e: ExceptionGroup("g", [e if e != "end" else ValueError()])
    ),
    "caused": caused,
    "noted": noted,
    "a megabyte": lambda: ValueError("x" * 1_000_000),
    "lines": lambda: ValueError("a\nb\r\nc\u2028d\x00e"),
    "surrogates": lambda: ValueError("a\ud800b"),
    "a key": lambda: KeyError("a\nb"),
    "nothing": ValueError,
    "stop": lambda: StopIteration(7),
    "stop async": StopAsyncIteration,
    "exit": lambda: SystemExit("bye"),
    "recursion": RecursionError,
    "memory": MemoryError,
    "time": TimeoutError,
}


NAMES = {
    "none": lambda: None,
    "a number": lambda: 7,
    "empty": lambda: "",
    "long": lambda: "n" * 1_000_000,
    "lines": lambda: "a\nb\x00c",
    "surrogates": lambda: "a\ud800",
    "bytes": lambda: b"add",
    "a list": lambda: ["add"],
    "text that refuses": lambda: Text("add"),
    "no hash": lambda: fooled("T", __hash__=refuse, __eq__=refuse)(),
    "hash leaves": lambda: fooled("T", __hash__=leave)(),
    "no text": lambda: fooled("T", __str__=refuse, __repr__=refuse)(),
    "faceless": Faceless,
    "deaf": Deaf,
    "of meaner": OfMeaner,
    "says it is text": lambda: Liar(str),
    "generous": Generous,
}

IDS = {
    "zero": lambda: 0,
    "false": lambda: False,
    "one and true": lambda: True,
    "text": lambda: "c1",
    "a long text": lambda: "c" * 1_000_000,
    "surrogates": lambda: "\ud800",
    "text that refuses": lambda: Text("c"),
    "a tuple": lambda: ("a", 1),
    "a list": lambda: ["a"],
    "bytes": lambda: b"c",
    "no hash": lambda: fooled("T", __hash__=refuse, __eq__=refuse, __ne__=refuse)(),
    "no truth": lambda: fooled("T", __bool__=refuse, __len__=refuse)(),
    "equal to all": lambda: fooled("T", __eq__=lambda self, other: True, __hash__=lambda self: 0)(),
    "no text": lambda: fooled("T", __str__=refuse, __repr__=refuse)(),
    "faceless": Faceless,
    "deaf": Deaf,
    "of meaner": OfMeaner,
    "says it is text": lambda: Liar(str),
    "generous": Generous,
    "nan": lambda: float("nan"),
}


class Tricky(dict):
    """A mapping whose contents cannot be had."""

    keys = items = values = __iter__ = refuse


class Leaving(dict):
    keys = items = values = __iter__ = leave


ARGUMENTS = {
    "none": lambda: None,
    "a number": lambda: 7,
    "a list": lambda: [1],
    "an object": object,
    "faceless": Faceless,
    "deaf": Deaf,
    "of meaner": OfMeaner,
    "tricky": lambda: Tricky(a=1),
    "leaving": lambda: Leaving(a=1),
    "text that refuses": lambda: Text('{"a": 1}'),
    "says it is text": lambda: Liar(str),
    "says it is a dict": lambda: Liar(dict),
    "odd keys": lambda: {1: 2, None: 3, b"\xff": 4, (1,): 5},
    "odd values": lambda: {name: make() for name, make in VALUES.items() if name not in HEAVY},
    "one odd value": lambda: {"a": OfMeaner()},
    "cycle": cycle,
    "deep": lambda: {"a": deep(100_000, lambda value: [value])},
    "deep text": lambda: '{"a":' * 100_000 + "1" + "}" * 100_000,
    "deep lists": lambda: "[" * 100_000 + "]" * 100_000,
    "deep list in a field": lambda: '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
    "open brackets": lambda: "[" * 100_000,
    "ten megabytes": lambda: '{"a": "' + "x" * 10_000_000 + '"}',
    "many keys": lambda: "{" + ",".join(f'"k{n}":{n}' for n in range(20_000)) + "}",
    "a long key": lambda: '{"' + "k" * 1_000_000 + '": 1}',
    "twice the key": lambda: '{"a": 1, "a": 2}',
    "no number": lambda: '{"a": NaN}',
    "infinity": lambda: '{"a": -Infinity}',
    "a long number": lambda: '{"a": ' + "9" * 100_000 + "}",
    "a great exponent": lambda: '{"a": 1e999999999}',
    "escaped surrogate": lambda: '{"a": "\\ud800"}',
    "surrogate": lambda: '{"a": "\ud800"}',
    "surrogate key": lambda: '{"\\udfff": 1}',
    "nul": lambda: '{"a": "\x00"}',
    "mark": lambda: '\ufeff{"a": 1}',
    "bad bytes": lambda: b'{"a": "\xff"}',
    "marked bytes": lambda: b"\xff\xfe{\x00}\x00",
    "bytearray": lambda: bytearray(b'{"a": 1}'),
    "memoryview": lambda: memoryview(b'{"a": 1}'),
    "comment": lambda: '{"a": 1} // one',
    "two objects": lambda: '{"a": 1}{"a": 2}',
    "fenced": lambda: '```json\n{"a": 1}\n```',
    "single quotes": lambda: "{'a': 1}",
    "text in text in text": lambda: '"\\"\\\\\\"{}\\\\\\"\\""',
    "cut": lambda: '{"a": "x',
    "blank": lambda: " \n\t ",
    "null": lambda: "null",
    "special names": lambda: '{"__class__": 1, "self": 2, "__proto__": {}, "": 3, "$ref": "#"}',
}
