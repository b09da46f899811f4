"""Collective communication, parameter servers, and the operators that mark how data enters a distributed graph."""
