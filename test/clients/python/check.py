"""Imports every module of the generated client and calls every operation.

check.py CLIENT PACKAGE           imports only
check.py CLIENT PACKAGE CALLS     calls, too; CALLS is a JSON file: {url, key, calls: [{operation, params, query, body, answers}]}
"""

import enum
import importlib
import inspect
import json
import pkgutil
import re
import sys
import typing

STREAM = "text/event-stream"


def modules_of(package_name):
    package = importlib.import_module(package_name)
    names = [module.name for module in pkgutil.walk_packages(package.__path__, package_name + ".")]
    return {name: importlib.import_module(name) for name in names}


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()


def operations_of(modules, package_name):
    found = {}
    for name, module in modules.items():
        if name.startswith(package_name + ".api.") and hasattr(module, "_get_kwargs"):
            found[name.rsplit(".", 1)[1].replace("_", "")] = module
    return found


def convert(text, annotation):
    """The typed value of a parameter that is written as text."""
    members = typing.get_args(annotation) or (annotation,)
    for member in members:
        if inspect.isclass(member) and issubclass(member, enum.Enum):
            return member(text)
        if member is bool:
            return {"true": True, "false": False}[text]
        if member in (int, float):
            return member(text)
        if getattr(member, "__name__", "") == "datetime":
            return member.fromisoformat(text)
    return text


def body_of(value, annotation):
    """The model of a body: the first member of a union that reads it."""
    for member in typing.get_args(annotation) or (annotation,):
        if not hasattr(member, "from_dict"):
            continue
        try:
            model = member.from_dict(dict(value))
        except (KeyError, TypeError, ValueError):
            continue
        if model.to_dict() == value:
            return model
    raise AssertionError(f"no model of {annotation} holds {value}")


def arguments_of(module, call):
    parameters = typing.get_type_hints(module._get_kwargs)
    given = {**call.get("params", {}), **call.get("query", {})}
    arguments = {snake_case(name): text for name, text in given.items()}
    arguments = {name: convert(text, parameters[name]) for name, text in arguments.items()}
    if "body" in call:
        arguments["body"] = body_of(call["body"], parameters["body"])
    return arguments


def call_stream(client, module, arguments):
    """A stream has no end, so the generated function would wait for ever: only its request is sent."""
    with client.get_httpx_client().stream(**module._get_kwargs(**arguments)) as response:
        assert response.headers["content-type"] == STREAM, response.headers
        return response.status_code


def call_operation(client, module, arguments):
    response = module.sync_detailed(client=client, **arguments)
    status = int(response.status_code)
    if status != 204:
        assert response.parsed is not None, f"{status} has no type: {response.content[:200]!r}"
        assert keys_of(response.parsed.to_dict()) == keys_of(json.loads(response.content)), "fields were lost"
    return status


def keys_of(value):
    if isinstance(value, dict):
        return {key: keys_of(one) for key, one in value.items()}
    if isinstance(value, list):
        return [keys_of(one) for one in value]
    return None


def call_all(package_name, operations, wanted):
    client_class = importlib.import_module(package_name).AuthenticatedClient
    client = client_class(base_url=wanted["url"], token=wanted["key"], timeout=60)
    called, failed = set(), []
    for call in wanted["calls"]:
        name = call["operation"].lower()
        try:
            module = operations[name]
            arguments = arguments_of(module, call)
            is_stream = name == "streamchanges"
            status = (call_stream if is_stream else call_operation)(client, module, arguments)
            assert status in call.get("answers", [200, 201, 202, 204]), f"answered {status}"
            called.add(name)
        except Exception as cause:  # every operation is tried, and every failure is shown
            failed.append(f"{call['operation']}: {type(cause).__name__}: {cause}")
    failed += [f"{name}: was not called" for name in operations if name not in called]
    return called, failed


def main(folder, package_name, calls=None):
    sys.path.insert(0, folder)
    modules = modules_of(package_name)
    operations = operations_of(modules, package_name)
    if calls is None:
        return 0
    with open(calls, encoding="utf-8") as file:
        called, failed = call_all(package_name, operations, json.load(file))
    if failed:
        print("\n".join(failed), file=sys.stderr)
        return 1
    print(f"python client: {len(modules)} modules imported, {len(called)} of {len(operations)} operations called")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
