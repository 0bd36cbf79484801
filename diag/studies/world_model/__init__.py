"""World models (Tycho): does an agent that writes and checks an executable model of its game play better?"""
