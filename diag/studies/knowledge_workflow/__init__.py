"""Knowledge x workflow: is an agent helped by the rules, and by not having to work the menus?"""

from diag.studies.knowledge_workflow.kind import KIND

__all__ = ["KIND"]
