"""JSON Schemas of pydantic's own, to be compared with ours."""


def untitled(schema, *, in_properties=False):
    """Return a schema without titles; a property may have that name."""
    if isinstance(schema, list):
        return [untitled(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: untitled(value, in_properties=key in {"properties", "$defs"} and not in_properties)
        for key, value in schema.items()
        if in_properties or key != "title"
    }
