"""``python -m costderive``: the command line."""

import sys

from costderive.cli import main

sys.exit(main())
