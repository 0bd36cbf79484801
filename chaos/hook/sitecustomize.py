"""Read by every Python of a victim before anything else: arms the strike that its environment orders."""

from chaos.hooking import arm_from_environment

arm_from_environment()
