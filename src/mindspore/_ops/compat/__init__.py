"""Further spellings of operators declared elsewhere: extended, view, index and primitive forms of MindSpore's versions."""
