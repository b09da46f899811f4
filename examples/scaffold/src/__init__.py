"""The parts of the project: network, data, environment, configuration."""
