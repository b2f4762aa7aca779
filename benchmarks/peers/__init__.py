"""The libraries that are measured, a module each, all driven through their own public path.

Each module has a class ``Peer`` with these attributes; what is absent is named in ``missing``
with its reason, and stays blank in the tables.

- ``distribution``, ``imports``: what is installed and the import a user writes.
- ``toolset(functions, timeout=None, middlewares=0)``: functions made tools; an object of
  the peer's own.
- ``build(functions)``: used instead where building is measured (the floor alone).
- ``ready(tools)``: what must be awaited once before the first call (optional).
- ``specs(tools)``, ``specs_json(tools)``: what goes into ``tools=`` of a request.
- ``call(tools, name, raw)``, ``acall(tools, name, raw)``: raw JSON text to the text for the model.
- ``batch(tools, calls)``: several calls at once, awaited (optional; else gathered ``acall``).
"""

PEERS = (
    "floor",
    "toolreg",
    "pydantic_ai",
    "openai_agents",
    "fastmcp",
    "mcp",
    "langchain",
    "llama_index",
    "toolregistry",
    "strands",
    "anthropic",
)
