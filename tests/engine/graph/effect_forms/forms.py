"""Ways in which Python does more than compute, and ways that look like it and only compute.

Every form takes a list, ``log``, and gives the function a network calls: Tensor in, Tensor out. What it does besides shows
in the log, or in what it returns from call to call.
"""

EFFECTS: dict = {}
PURE: dict = {}


def effect(form):
    EFFECTS[form.__name__] = form
    return form


def pure(form):
    PURE[form.__name__] = form
    return form


class Counter:
    """Something outside that changes by being asked."""

    def __init__(self, log):
        self.log = log
        self.count = 0

    def bump(self):
        self.count += 1
        self.log.append(self.count)
        return self.count


def with_methods(log, **methods):
    """An object whose special methods write to the log, and give what is listed."""

    def writing(name, result):
        def method(self, *args):
            log.append(name)
            return result(self, *args) if callable(result) else result

        return method

    return type("Special", (), {name: writing(name, result) for name, result in methods.items()})()
