"""What the modules of ``mindspore.mindrecord`` share."""
