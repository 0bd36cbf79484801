"""Knowledge x workflow: is an agent helped by the rules, and by not having to work the menus?"""
