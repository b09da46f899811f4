"""Networks written the way MindSpore's model zoo writes them."""
