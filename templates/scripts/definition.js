// What the pages of definitions add to plain forms: they work without it.
