"""How moves find what they give: each move names its function here, and its claims judge what that finds.

A search may use any means, and nothing here is trusted.
"""
