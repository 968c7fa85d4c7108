"""``python -m aagm``: the ``aagm`` command."""

import sys

from aagm.cli.main import main

sys.exit(main())
