// What every page of the admin section needs. Pages work without it.
