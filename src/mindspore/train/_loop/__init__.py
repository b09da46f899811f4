"""The loop behind `Model`: training, evaluation, argument checks, and the state a resumed run starts from."""
