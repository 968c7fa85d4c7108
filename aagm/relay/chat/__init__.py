"""What the GM types and who does it: queue, lease, tabs, modes, commands.

``parts.open_chat`` joins the pieces; the composition root calls it and nothing else.
"""
