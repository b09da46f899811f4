"""Properties, descriptors and what else an attribute may run."""

import functools
import operator
import types

from tests.engine.graph.effect_forms.forms import Counter, effect, with_methods


@effect
def property_of_another_object(log):
    class Settings:
        @property
        def scale(self):
            log.append("scale")
            return 2.0

    settings = Settings()
    return lambda x: x * settings.scale


@effect
def property_that_calls_a_method_of_another(log):
    class Settings:
        def __init__(self):
            self.counter = Counter(log)

        @property
        def scale(self):
            return float(self.counter.bump())

    settings = Settings()
    return lambda x: x * settings.scale


@effect
def property_by_getattr(log):
    class Settings:
        scale = property(lambda self: log.append("scale") or 2.0)

    settings = Settings()
    return lambda x: x * getattr(settings, "scale") * (1 if hasattr(settings, "scale") else 2)  # noqa: B009


@effect
def property_by_attrgetter(log):
    class Settings:
        scale = property(lambda self: log.append("scale") or 2.0)

    settings = Settings()
    return lambda x: x * operator.attrgetter("scale")(settings)


@effect
def method_by_methodcaller(log):
    counter = Counter(log)
    return lambda x: x * operator.methodcaller("bump")(counter)


@effect
def item_by_itemgetter(log):
    one = with_methods(log, __getitem__=lambda self, key: 2.0)
    return lambda x: x * operator.itemgetter("a")(one)


@effect
def descriptor(log):
    class Noting:
        def __get__(self, owner, kind=None):
            log.append("get")
            return 2.0

    class Settings:
        scale = Noting()

    settings = Settings()
    return lambda x: x * settings.scale * Settings.scale


@effect
def getattribute(log):
    class Settings:
        scale = 2.0

        def __getattribute__(self, name):
            log.append(name)
            return object.__getattribute__(self, name)

    settings = Settings()
    return lambda x: x * settings.scale


@effect
def cached_property(log):
    class Settings:
        @functools.cached_property
        def scale(self):
            log.append("computed")
            return 2.0

    settings = Settings()
    return lambda x: x * settings.scale


@effect
def property_setter_of_an_own_object(log):
    class Box:
        @property
        def value(self):
            return self.kept

        @value.setter
        def value(self, new):
            log.append("set")
            self.kept = new

    def body(x):
        box = Box()
        box.value = x
        return box.value

    return body


@effect
def setattr_of_an_own_object(log):
    class Box:
        def __setattr__(self, name, value):
            log.append(name)
            super().__setattr__(name, value)

    def body(x):
        box = Box()
        box.value = x
        return box.value

    return body


@effect
def setitem_of_an_own_object(log):
    class Box(dict):
        def __setitem__(self, name, value):
            log.append(name)
            super().__setitem__(name, value)

        def __delitem__(self, name):
            log.append(name)

    def body(x):
        box = Box()
        box["a"] = x
        del box["a"]
        return box["a"]

    return body


@effect
def data_descriptor(log):
    class Noting:
        def __get__(self, owner, kind=None):
            return owner.__dict__["kept"]

        def __set__(self, owner, value):
            log.append("set")
            owner.__dict__["kept"] = value

    class Box:
        value = Noting()

    def body(x):
        box = Box()
        box.value = x
        return box.value

    return body


@effect
def module_getattr(log):
    module = types.ModuleType("settings_of_a_test")
    module.__getattr__ = lambda name: log.append(name) or 2.0  # type: ignore[method-assign]
    return lambda x: x * module.scale
