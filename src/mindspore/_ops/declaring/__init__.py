"""Shared by the declarations: dtype promotion, argument requirements, constructors of Primitives, naming conventions, random keys."""
