#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of the C++ API from Doxygen's XML: one page for each header in src/fedstein/api.txt, and an index.

Usage: api_pages.py XML_FOLDER API_TXT OUTPUT_FOLDER
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

KINDS = {"class": "class", "struct": "struct", "union": "union"}
LONGEST_INITIALIZER = 60
GENERATED = {"numeric/config.h": "Written by the build. Records the precision of ``Real``: single or double."}


def headers_of(api_txt):
    """[(folder, [header, ...]), ...] in the order of api.txt."""
    folders = []
    for line in pathlib.Path(api_txt).read_text().splitlines():
        if line and not line.startswith("#"):
            folder, names = line.split(":")
            folders.append((folder, names.split()))
    return folders


def escaped(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text or "")


def inline(node):
    """A paragraph's text in reStructuredText."""
    out = escaped(node.text)
    for child in node:
        if child.tag == "computeroutput":
            out += "``" + "".join(child.itertext()) + "``"
        elif child.tag not in BLOCKS:
            out += inline(child)
        out += escaped(child.tail)
    return re.sub(r"\s+", " ", out)


BLOCKS = {"itemizedlist", "orderedlist", "verbatim", "preformatted", "programlisting"}


def blocks(node):
    """The paragraphs below a description, each a list of lines."""
    for para in node.findall("para"):
        text = inline(para).strip()
        if text:
            yield [text]
        for child in para:
            if child.tag in ("itemizedlist", "orderedlist"):
                yield ["- " + " ".join(inline(p).strip() for p in item.findall("para")) for item in child.findall("listitem")]
            elif child.tag == "programlisting":
                lines = ["".join(" " if e.tag == "sp" else (e.text or "") for e in line.iter()) for line in child.findall("codeline")]
                yield ["::", ""] + ["   " + line for line in lines]
            elif child.tag in ("verbatim", "preformatted"):
                yield ["::", ""] + ["   " + line for line in "".join(child.itertext()).strip("\n").splitlines()]


def description(node, indent):
    """Brief and detailed description, indented."""
    out = []
    for part in ("briefdescription", "detaileddescription"):
        for block in blocks(node.find(part)):
            out += [" " * indent + line if line else "" for line in block] + [""]
    return out


def text_of(node, tag):
    found = node.find(tag)
    return "" if found is None else re.sub(r"\s+", " ", "".join(found.itertext())).strip()


def template_of(node):
    params = node.find("templateparamlist")
    if params is None:
        return ""
    parts = []
    for param in params.findall("param"):
        name, value = text_of(param, "declname"), text_of(param, "defval")
        parts.append(text_of(param, "type") + (" " + name if name else "") + (" = " + value if value else ""))
    return "template<" + ", ".join(parts) + "> "


def declaration(member):
    """(directive, declaration) of a member, or None for what has no entry of its own."""
    kind, name, type_name = member.get("kind"), text_of(member, "name"), text_of(member, "type")
    arguments = text_of(member, "argsstring")
    if kind == "function":
        if name.startswith("~"):
            return None
        flags = "".join(word + " " for word, on in (
            ("static", member.get("static") == "yes"), ("virtual", member.get("virt", "non-virtual") != "non-virtual"),
            ("explicit", member.get("explicit") == "yes")) if on)
        type_name = re.sub(r"\b(static|virtual|explicit|constexpr|inline|friend) ", "", type_name + " ").strip()
        arguments = re.sub(r"=\s*(0|default|delete)$", r" = \1", arguments)
        return "function", template_of(member) + flags + (type_name + " " if type_name else "") + name + arguments
    if kind == "variable":
        initial = text_of(member, "initializer")
        shown = " " + initial if initial.startswith("=") and len(initial) <= LONGEST_INITIALIZER else ""
        flags = "static " if member.get("static") == "yes" else ""
        type_name = re.sub(r"\b(static|mutable|inline) ", "", type_name + " ").strip()
        return "var", template_of(member) + flags + type_name + " " + name + arguments + shown
    if kind == "typedef":
        target = re.sub(r"^typedef ", "", type_name)
        return "type", template_of(member) + name + " = " + target
    if kind == "enum":
        return ("enum-class" if member.get("strong") == "yes" else "enum"), name
    return None


class Library:
    """Everything that Doxygen found, by the file in which it stands."""

    def __init__(self, folder):
        self.files, self.compounds, self.members = {}, {}, {}
        for path in sorted(pathlib.Path(folder).glob("*.xml")):
            if path.name in ("index.xml", "Doxyfile.xml"):
                continue
            for compound in ElementTree.parse(path).getroot().findall("compounddef"):
                self.add(compound)

    def add(self, compound):
        kind, name = compound.get("kind"), text_of(compound, "compoundname")
        if kind == "file":
            self.files[compound.find("location").get("file")] = compound
        elif kind in KINDS:
            self.compounds[name] = compound
        elif kind == "namespace":
            for member in compound.iter("memberdef"):
                self.members.setdefault(member.find("location").get("file"), []).append((name, member))

    def entries(self, file):
        """Classes and free members of a file: (line, lines of reStructuredText)."""
        for name, compound in self.compounds.items():
            place = compound.find("location")
            if place.get("file") == file and name.rpartition("::")[0] not in self.compounds and compound.get("prot") == "public":
                yield int(place.get("line")), self.class_entry(name, compound, 0)
        for scope, member in self.members.get(file, []):
            lines = self.member_entry(member, 0, scope)
            if lines:
                yield int(member.find("location").get("line")), lines

    def class_entry(self, name, compound, indent):
        short = name if indent == 0 else name.rpartition("::")[2]
        bases = [b.text for b in compound.findall("basecompoundref") if b.get("prot") == "public"]
        head = template_of(compound) + short + (" : public " + ", public ".join(bases) if bases else "")
        out = [" " * indent + f".. cpp:{KINDS[compound.get('kind')]}:: {head}", ""] + description(compound, indent + 3)
        parts = []
        for inner in compound.findall("innerclass"):
            if inner.get("prot") == "public" and inner.text in self.compounds:
                nested = self.compounds[inner.text]
                parts.append((int(nested.find("location").get("line")), self.class_entry(inner.text, nested, indent + 3)))
        for member in compound.iter("memberdef"):
            if member.get("prot") in ("public", "protected") and member.get("kind") != "friend":
                parts.append((int(member.find("location").get("line")), self.member_entry(member, indent + 3)))
        for _, lines in sorted(parts, key=lambda part: part[0]):
            out += lines
        return out

    def member_entry(self, member, indent, scope=""):
        found = declaration(member)
        if not found or "@" in found[1]:
            return []
        directive, text = found
        name = text_of(member, "name")
        if scope:
            text = re.sub(r"(?<![\w:])" + re.escape(name) + r"(?=\s*[({=]|$|\[)", scope + "::" + name, text, count=1)
        out = [" " * indent + f".. cpp:{directive}:: {text}", ""] + description(member, indent + 3)
        for value in member.findall("enumvalue"):
            out += [" " * (indent + 3) + ".. cpp:enumerator:: " + text_of(value, "name"), ""] + description(value, indent + 6)
        return out


def first_sentence(lines):
    for line in lines:
        text = line.strip()
        if text[:1].isupper():
            return re.split(r"(?<=[.])\s", text)[0]
    return ""


def header_page(library, folder, name):
    """The page of a header, and the first sentence on it."""
    header = f"{folder}/{name}"
    file = f"src/fedstein/{header}"
    if file not in library.files and header not in GENERATED:
        raise SystemExit(f"api_pages: {file} is listed in api.txt, and Doxygen has not seen it")
    about = description(library.files[file], 0) if file in library.files else [GENERATED[header], ""]
    entries = [lines for _, lines in sorted(library.entries(file), key=lambda entry: entry[0])]
    body = about + [line for lines in entries for line in lines]
    lead = f"``#include \"fedstein/{header}\"``, component ``{folder}``."
    return [name, "=" * len(name), "", lead, ""] + body, first_sentence(body)


def write_pages(xml, api_txt, output):
    library, output = Library(xml), pathlib.Path(output)
    folders = headers_of(api_txt)
    for folder, headers in folders:
        (output / folder).mkdir(parents=True, exist_ok=True)
        index = [folder, "=" * len(folder), "", f"Component ``{folder}``, target ``fedstein::{folder}``.", "",
                 ".. toctree::", "   :hidden:", ""] + [f"   {folder}/{name[:-2]}" for name in headers] + [""]
        for name in headers:
            page, sentence = header_page(library, folder, name)
            (output / folder / (name[:-2] + ".rst")).write_text("\n".join(page) + "\n")
            index.append(f"- :doc:`{name} <{folder}/{name[:-2]}>`" + (f": {sentence}" if sentence else ""))
        (output / (folder + ".rst")).write_text("\n".join(index) + "\n")
    front = ["C++", "===", "", "The headers that an installed library offers, by component. A CMake project that says",
             "``find_package(fedstein COMPONENTS stein)`` can link ``fedstein::stein``.", "", ".. toctree::", "   :maxdepth: 2", ""]
    front += [f"   {folder}" for folder, _ in folders]
    (output / "index.rst").write_text("\n".join(front) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    write_pages(*sys.argv[1:])
