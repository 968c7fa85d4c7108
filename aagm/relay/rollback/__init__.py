"""The write lane, journals, points, undo and redo."""
