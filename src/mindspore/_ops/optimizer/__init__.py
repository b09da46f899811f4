"""Update rules of optimizers as operators on Parameters."""
