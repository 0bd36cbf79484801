"""docs/reliability.md"""
def document(seen): return ""
