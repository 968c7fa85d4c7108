"""Tell twistd about ``aagm``; imports nothing of ours."""

from twisted.application.service import ServiceMaker

aagm = ServiceMaker(
    "AAGM",
    "aagm.tap",
    "The bridge between an AI agent and a live Foundry VTT world.",
    "aagm",
)
