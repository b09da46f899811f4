"""Programs that workers run: training steps, scripts and checkpoints, in text that suits any MindSpore."""
