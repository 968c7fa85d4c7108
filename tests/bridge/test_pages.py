"""Refused pages are counted, and told once."""

from __future__ import annotations

from aagm.bridge.pages import KEPT, RefusedPages


def test_each_page_is_given_once_with_its_count():
    """What was not reported yet is given, with how often it came so far."""
    pages = RefusedPages()
    pages.note("https://evil.example")
    pages.note("https://evil.example")
    assert pages.take_unreported() == [{"origin": "https://evil.example", "count": 2}]
    pages.note("https://evil.example")
    pages.note("null")
    assert pages.take_unreported() == [{"origin": "null", "count": 1}]
    assert pages.take_unreported() == []


def test_made_up_pages_do_not_fill_the_relay():
    """A program that makes up origins gets only so much room."""
    pages = RefusedPages()
    for n in range(10 * KEPT):
        pages.note(f"https://{n}.example")
    assert len(pages.take_unreported()) == KEPT
