"""The bridge between an AI agent and a live Foundry VTT world."""
