#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""JSON schemas of what verbs print: schema/RESULT.json, installed as share/fatwood/schema.

  tests/golden/schema.py --update      adds what the commands of the golden tests print to the schemas
  tests/golden/schema.py --fresh       makes them from nothing: a key that is gone is then gone from the schema, too
  tests/golden/schema.py --required    prints each key that is always there, as RESULT: path

tests/golden/run checks each JSON output against them: types, required keys, and that no key is missing in the schema.
A new key or a new type needs --update. --fresh breaks the promise of docs/versions.md: it needs a new major version.

Keys that every output had are required. Objects may have further keys, in later versions.
"""
import argparse
import concurrent.futures
import functools
import importlib.machinery
import importlib.util
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / "schema"
# Results of one verb that have nothing in common: by a key that only they have.
RESULTS = {
    "job": {"engines": "job-engines"},
    "plan": {"sound": "plan-check", "bundles": "plan-from", "safe": "plan-grow"},
    "sim": {"sizes": "sim-sizes"},
    "verify": {"why_not": "verify-proof"},
    "whatif": {"unrepaired": "whatif-lose", "distribution": "whatif-distribution"},
}
# Objects whose keys are data, by the end of their path.
MAPS = ("study/rows/[]",)


def result_of(verb, value):
    """The name of the schema."""
    for key, name in RESULTS.get(verb, {}).items():
        if key in value:
            return name
    return verb


def kind_of(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    return {str: "string", list: "array", dict: "object"}[type(value)]


def merged(schema, value, path=""):
    """The schema (None: nothing seen yet) with one more value."""
    fresh = schema is None
    schema = {} if fresh else schema
    known = schema.get("type", [] if fresh else "null")
    kinds = {known} if isinstance(known, str) else set(known)
    kinds.add(kind_of(value))
    if "number" in kinds:
        kinds.discard("integer")
    schema["type"] = sorted(kinds)
    if isinstance(value, dict):
        if path.endswith(MAPS):
            for item in value.values():
                schema["additionalProperties"] = merged(schema.get("additionalProperties"), item, path + "/*")
            return schema
        seen = "properties" in schema
        properties = schema.setdefault("properties", {})
        schema["required"] = [key for key in schema.get("required", []) if key in value] if seen else list(value)
        for key, item in value.items():
            properties[key] = merged(properties.get(key), item, f"{path}/{key}")
    elif isinstance(value, list):
        for item in value:
            schema["items"] = merged(schema.get("items"), item, path + "/[]")
    return schema


def tidy(schema):
    """A list of one type as that type; no empty lists."""
    if isinstance(schema, dict):
        out = {key: tidy(item) for key, item in schema.items() if key != "required" or item}
        if isinstance(out.get("type"), list) and len(out["type"]) == 1:
            out["type"] = out["type"][0]
            if out["type"] == "null":
                return {}  # a value was never seen
        return out
    return [tidy(item) for item in schema] if isinstance(schema, list) else schema


def closed(schema):
    """The same schema without room for unknown keys."""
    if isinstance(schema, dict):
        out = {key: closed(item) for key, item in schema.items()}
        if isinstance(schema.get("properties"), dict) and "type" in schema:
            out["additionalProperties"] = False
        return out
    return [closed(item) for item in schema] if isinstance(schema, list) else schema


@functools.cache
def validator(name):
    import jsonschema  # Debian: python3-jsonschema
    path = FOLDER / f"{name}.json"
    if not path.exists():
        return None
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(closed(schema))


def problems(verb, value):
    """What is wrong with an output, as sentences."""
    if not isinstance(value, dict):
        return [f"{verb}: not an object"]
    name = result_of(verb, value)
    check = validator(name)
    if check is None:
        return [f"no schema/{name}.json: tests/golden/schema.py --update"]
    return [f"schema/{name}.json: {'.'.join(map(str, error.absolute_path)) or 'the object'}: {error.message[:160]}"
            for error in check.iter_errors(value)][:3]


def required(schema, path=""):
    """Paths of keys that are always there, with their types."""
    for key in schema.get("required", []):
        item = schema["properties"][key]
        kinds = item.get("type", "any")
        yield f"{path}{key} {kinds if isinstance(kinds, str) else '|'.join(kinds)}"
        yield from required(item, f"{path}{key}.")
        yield from required(item.get("items", {}), f"{path}{key}[].")


def golden():
    """The program tests/golden/run as a module."""
    loader = importlib.machinery.SourceFileLoader("golden_run", str(HERE / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("golden_run", loader))
    loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--required", action="store_true")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT")
    given = parser.parse_args()
    if given.required:
        for path in sorted(FOLDER.glob("*.json")):
            print("\n".join(f"{path.stem}: {key}" for key in required(json.loads(path.read_text()))))
        return 0
    if not given.update and not given.fresh:
        parser.error("expected --update or --fresh")
    run = golden()
    schemas = {}
    if not given.fresh:
        for path in FOLDER.glob("*.json"):
            schemas[path.stem] = json.loads(path.read_text())
    seen = []
    run.CHECK_OUTPUT = lambda verb, value: seen.append((verb, value)) or []
    subjects = given.subjects or sorted(path.stem for path in (HERE / "commands").glob("*.txt"))
    blocks = [block for name in subjects for block in run.read_list(HERE / f"commands/{name}.txt")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(run.run_block, blocks))
    for verb, value in seen:
        name = result_of(verb, value)
        schemas[name] = merged(schemas.get(name), value, name)
    FOLDER.mkdir(exist_ok=True)
    for name, schema in schemas.items():
        verb = name.split("-")[0]
        head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"fatwood {verb} --json"}
        text = json.dumps(head | tidy({k: v for k, v in schema.items() if k not in head}), indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n")
    print(f"{len(seen)} outputs, {len(schemas)} schemas")
    return 0


if __name__ == "__main__":
    sys.exit(main())
