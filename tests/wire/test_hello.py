"""What a tab says of itself."""

from __future__ import annotations

import pytest

from aagm.errors import BadParams
from aagm.wire.hello import Recording, World, parse_hello

FAMILY = {
    "userId": "gm00000000000000",
    "userName": "Gamemaster",
    "isGM": True,
    "worldId": "sunken-inn",
    "foundryVersion": "12.343",
    "moduleVersion": "2.0.0",
    "settings": {"mode": "assistant"},
}


def test_a_family_module_is_understood():
    """A module of 2.0, which says nothing of a protocol, speaks protocol 2."""
    hello = parse_hello(FAMILY)
    assert hello.protocol == 2
    assert hello.world == World("sunken-inn", "sunken-inn")
    assert hello.features == frozenset()
    assert hello.recordings == ()


def test_our_module_says_more():
    """Features, recordings and the world's title are read."""
    hello = parse_hello(
        FAMILY
        | {
            "protocol": 3,
            "features": ["stream", "check"],
            "worldTitle": "The Sunken Inn",
            "recordings": [{"pointId": "rp-000001", "lastSeq": 4, "running": True}],
            "somethingNew": 1,
        }
    )
    assert hello.protocol == 3
    assert hello.features == {"stream", "check"}
    assert hello.world.title == "The Sunken Inn"
    assert hello.recordings == (Recording("rp-000001", 4, running=True),)


@pytest.mark.parametrize(
    ("member", "value", "says"),
    [
        ("userId", "", "userId is missing"),
        ("userId", 7, "userId must be a string"),
        ("worldId", None, "worldId is missing"),
        ("protocol", "3", "protocol must be an integer"),
        ("protocol", True, "protocol must be an integer"),
        ("settings", [], "settings must be dict"),
        ("worldId", "w" * 201, "worldId has 201 characters, not 200"),
        ("tabInstance", "t" * 90_000, "tabInstance has 90000 characters, not 200"),
        ("worldTitle", "W" * 1001, "worldTitle has 1001 characters, not 1000"),
        ("recordings", [{"pointId": "r" * 201, "lastSeq": 1}], "a recording needs"),
        ("recordings", [{}], "a recording needs pointId and lastSeq"),
        ("recordings", [{"pointId": "rp-1", "lastSeq": True}], "a recording needs"),
    ],
)
def test_a_hello_of_the_wrong_shape_names_the_member(member, value, says):
    """A module author reads which member is wrong."""
    with pytest.raises(BadParams, match=says):
        parse_hello(FAMILY | {member: value})


def test_secrets_do_not_show_when_a_hello_is_printed():
    """A token never reaches a log by way of a printed hello."""
    hello = parse_hello(FAMILY | {"token": "s3cret", "pairingCode": "123456"})
    assert "s3cret" not in repr(hello)
    assert "123456" not in repr(hello)
