"""The tests: facts about costderive."""
