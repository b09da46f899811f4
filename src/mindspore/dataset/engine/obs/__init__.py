"""Files of object storages, which are downloaded before they are read."""
