"""Programs with open sizes on arrays that are filled up."""
