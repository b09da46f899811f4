"""What transforms and the engine share."""
