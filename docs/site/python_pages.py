#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of the Python API from the package's sources, which are read but not imported: nothing needs to be built for them. One page
for each group of public names, and an index.

Usage: python_pages.py PACKAGE_FOLDER OUTPUT_FOLDER
"""

import ast
import inspect
import pathlib
import sys

# What belongs together; a public name that is missing here ends the program.
GROUPS = {
    "Estimators": ["SteinClassifier", "SteinRegressor", "SteinCounts"],
    "Posteriors and runs": ["Posterior", "Run"],
    "Particles": ["svgd", "ksd", "collapse", "check_gradient", "from_jax", "from_torch"],
    "Federations": ["Federation", "Model", "model_types", "Method", "Server", "Agent", "Setting", "method_list"],
    "Pictures": ["plot"],
    "Errors": ["Error", "InvalidArgument", "Divergence", "DataError", "FileError", "MissingExtra"],
}


def home_of(package):
    """Where each public name is defined, from the package's __init__.py."""
    for node in ast.parse((package / "__init__.py").read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOME":
            return ast.literal_eval(node.value)
    raise SystemExit(f"{package}/__init__.py has no table _HOME")


class Package:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.home = home_of(self.folder)
        self.trees = {}

    def tree(self, module):
        if module not in self.trees:
            self.trees[module] = ast.parse((self.folder / f"{module}.py").read_text())
        return self.trees[module]

    def find(self, name, module=None):
        """A class or function by name, in a module or wherever one of that name is."""
        for place in [module] if module else sorted(path.stem for path in self.folder.glob("*.py")):
            for node in self.tree(place).body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                    return node
        return None

    def members(self, node):
        """Public methods of a class, those of its bases in this package included; the class's own come first."""
        found = {}
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                found[item.name] = item
        for base in node.bases:
            below = self.find(base.id) if isinstance(base, ast.Name) else None
            for name, item in (self.members(below) if below else {}).items():
                found.setdefault(name, item)
        return found

    def init(self, node):
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                return item
        for base in node.bases:
            below = self.find(base.id) if isinstance(base, ast.Name) else None
            if below and (found := self.init(below)):
                return found
        return None


def signature(function, bound):
    """Names and defaults; types are in the sources."""
    args = function.args
    names = args.posonlyargs + args.args
    defaults = [None] * (len(names) - len(args.defaults)) + args.defaults
    parts = [name.arg + (f"={ast.unparse(value)}" if value is not None else "") for name, value in zip(names, defaults)][bound:]
    if args.vararg or args.kwonlyargs:
        parts.append("*" + (args.vararg.arg if args.vararg else ""))
    parts += [name.arg + (f"={ast.unparse(value)}" if value is not None else "") for name, value in zip(args.kwonlyargs, args.kw_defaults)]
    if args.kwarg:
        parts.append("**" + args.kwarg.arg)
    return "(" + ", ".join(parts) + ")"


def fields(node):
    """Of a dataclass: its fields as a signature."""
    parts = [item.target.id + (f"={ast.unparse(item.value)}" if item.value else "") for item in node.body if isinstance(item, ast.AnnAssign)]
    return "(" + ", ".join(part for part in parts if "field(" not in part) + ")"


def decorators(node):
    return {getattr(item, "id", getattr(getattr(item, "func", None), "attr", "")) for item in node.decorator_list}


def text(node, indent):
    doc = inspect.cleandoc(ast.get_docstring(node) or "").replace("Parameters\n----------\n", "**Parameters**\n\n")
    return [" " * indent + line if line else "" for line in doc.splitlines()] + [""]


def function_entry(node, kind, indent, bound):
    return [" " * indent + f".. py:{kind}:: {node.name}{signature(node, bound)}", ""] + text(node, indent + 3)


def class_entry(package, node):
    kind = "exception" if any(isinstance(base, ast.Name) and (base.id == "Exception" or "Error" in base.id) for base in node.bases) else "class"
    init = package.init(node)
    head = fields(node) if "dataclass" in decorators(node) else signature(init, 1) if init else ""
    lines = [f".. py:{kind}:: {node.name}{head}", ""] + text(node, 3)
    for item in package.members(node).values():
        marks = decorators(item)
        if "property" in marks:
            lines += [f"   .. py:property:: {item.name}", ""] + text(item, 6)
        else:
            lines += function_entry(item, "method", 3, 0 if "staticmethod" in marks else 1)
            if "classmethod" in marks:
                lines[lines.index(f"   .. py:method:: {item.name}{signature(item, 1)}") + 1] = "      :classmethod:\n"
    return lines


def page(package, title, names):
    lines = [title, "=" * len(title), "", ".. py:currentmodule:: fedstein", ""]
    for name in names:
        if name == "plot":
            lines += [".. py:module:: fedstein.plot", ""] + text(package.tree("plot"), 0)
            for node in package.tree("plot").body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                    lines += function_entry(node, "function", 0, 0)
            continue
        node = package.find(name, package.home[name])
        if node is None:
            raise SystemExit(f"fedstein.{package.home[name]} does not define {name}")
        lines += class_entry(package, node) if isinstance(node, ast.ClassDef) else function_entry(node, "function", 0, 0)
    return "\n".join(lines) + "\n"


def main(folder, output):
    package = Package(folder)
    listed = [name for names in GROUPS.values() for name in names]
    missing = sorted(set(package.home) - set(listed))
    if missing:
        raise SystemExit(f"python_pages.py has no group for {', '.join(missing)}")
    output = pathlib.Path(output)
    output.mkdir(parents=True, exist_ok=True)
    index = ["Python API", "==========", "", ".. py:module:: fedstein", ""] + text(package.tree("__init__"), 0)
    index += [".. toctree::", ""]
    for title, names in GROUPS.items():
        name = title.lower().replace(" ", "-")
        (output / f"{name}.rst").write_text(page(package, title, names))
        index.append(f"   {name}")
    (output / "index.rst").write_text("\n".join(index) + "\n")
    print(f"python: {len(listed)} names on {len(GROUPS)} pages")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
