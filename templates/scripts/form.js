// Additions to forms.
