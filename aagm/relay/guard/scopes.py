"""Names and where they are declared."""

from __future__ import annotations

from attrs import define, field

from aagm.relay.guard.values import EMPTY, Value


@define(eq=False)
class Binding:
    """A declared name: what it may hold, over the whole run."""

    name: str
    value: Value = EMPTY
    readers: int = 0  # the pieces that read it, as bits


@define(eq=False)
class Scope:
    """The names of one block, one function or one list of parameters."""

    parent: Scope | None
    is_function: bool = False  # `var` stops here
    params: Scope | None = None  # a body's parameters: `var` may repeat them
    names: dict[str, Binding] = field(factory=dict, init=False)

    def declare(self, name: str) -> Binding:
        """Declare *name* here, once."""
        return self.names.setdefault(name, Binding(name))

    def declare_var(self, name: str) -> Binding:
        """Declare *name* as `var` does: in the function, or as its parameter."""
        scope = self
        while not scope.is_function and scope.parent is not None:
            scope = scope.parent
        if scope.params is not None and name in scope.params.names:
            return scope.params.names[name]
        return scope.declare(name)

    def find(self, name: str) -> Binding | None:
        """Find what *name* means here; None for a global."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None
