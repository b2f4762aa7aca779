"""A tool and a call of it in the words of each provider."""

import json
from collections.abc import Callable


def _chat(name, arguments):
    asked = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": "abcdefghi", "type": "function", "function": asked}
    return {"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}


def _gemini(name, arguments):
    part = {"functionCall": {"name": name, "args": arguments}}
    return {"candidates": [{"content": {"role": "model", "parts": [part]}}]}


def _responses(name, arguments):
    call = {"type": "function_call", "call_id": "c", "name": name}
    return {"output": [{**call, "arguments": json.dumps(arguments)}]}


def _anthropic(name, arguments):
    block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}
    return {"content": [block], "stop_reason": "tool_use"}


def _bedrock(name, arguments):
    block = {"toolUse": {"toolUseId": "t", "name": name, "input": arguments}}
    return {"output": {"message": {"content": [block]}}, "stopReason": "tool_use"}


def _cohere(name, arguments):
    return _chat(name, arguments)["choices"][0]


def _ollama(name, arguments):
    return {"message": {"tool_calls": [{"function": {"name": name, "arguments": arguments}}]}}


def _mcp(name, arguments):
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


#: A format -> (a tool's name, its arguments) -> a response that calls it.
RESPONSES: dict[str, Callable[[str, dict], dict]] = {
    "openai": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "mistral": _chat,
    "cohere": _cohere,
    "groq": _chat,
    "ollama": _ollama,
    "mcp": _mcp,
}


def signature(provider: str, spec: dict) -> tuple[str, dict]:
    """Return the name and the schema in a tool's export."""
    match provider:
        case "openai-responses":
            return spec["name"], spec["parameters"]
        case "anthropic":
            return spec["name"], spec["input_schema"]
        case "gemini":
            return spec["name"], spec["parametersJsonSchema"]
        case "bedrock":
            return spec["toolSpec"]["name"], spec["toolSpec"]["inputSchema"]["json"]
        case "mcp":
            return spec["name"], spec["inputSchema"]
        case _:
            return spec["function"]["name"], spec["function"]["parameters"]
