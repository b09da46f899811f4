"""Other frameworks, each in an environment of its own, measured in turn with ours."""
