// Additions to the list of rows. The page works without it.
