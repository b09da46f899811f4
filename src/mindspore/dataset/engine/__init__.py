"""The engine of pipelines, by the modules old programs import from."""
