// Rich text.
