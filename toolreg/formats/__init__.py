"""The formats of the providers, a module each."""
