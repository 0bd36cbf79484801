"""Dead-end takeover: is an agent helped by being told what its state is?"""
