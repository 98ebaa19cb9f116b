#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gathers what the documentation site shows: the repository's Markdown files as they are, with the site's table of contents, and
a page for each source file that they link to. A page of docs/ that is not in contents.txt, and a link that leads nowhere, end
the program with a sentence.

Usage: site_pages.py REPOSITORY OUTPUT_FOLDER
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

FRONT = "README.md"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
LANGUAGES = {".h": "cpp", ".cc": "cpp", ".py": "python", ".toml": "toml", ".txt": "text", ".cmake": "cmake", ".md": "markdown"}
COPIED = {".png", ".svg", ".csv"}


def contents(repository):
    """[(heading, [page, ...]), ...]"""
    sections = []
    for line in (repository / "docs/site/contents.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line[0] == " ":
            sections[-1][1].append(line.strip())
        else:
            sections.append((line, []))
    return sections


def tracked(repository):
    names = subprocess.run(["git", "-C", repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                           check=True, capture_output=True, text=True).stdout
    return {name for name in names.split("\0") if name and (repository / name).is_file()}


class Site:
    def __init__(self, repository, output):
        self.repository, self.output = repository, output
        self.files = tracked(repository)
        self.pages = [page for _, pages in contents(repository) for page in pages]
        self.sources, self.problems = set(), []

    def check_contents(self):
        listed = set(self.pages)
        for name in sorted(self.files):
            if name.startswith("docs/") and name.endswith(".md") and name not in listed:
                self.problems.append(f"docs/site/contents.txt does not list {name}")
        for page in self.pages:
            if not page.startswith(("api/", "python-api/")) and page not in self.files:
                self.problems.append(f"docs/site/contents.txt lists {page}, which is no file of the repository")
            if self.pages.count(page) > 1:
                self.problems.append(f"docs/site/contents.txt lists {page} more than once")

    def target(self, page, link):
        """Where a link of a page leads on the site, from the site's root; None where it leads nowhere."""
        path = os.path.normpath(os.path.join(os.path.dirname(page), link))
        if path == FRONT or path == ".":
            return "index.md"
        if path in self.pages:
            return path
        if path + "/README.md" in self.pages:
            return path + "/README.md"
        if pathlib.PurePath(path).suffix in COPIED and path in self.files:
            self.copy(path)
            return path
        if path in self.files or any(name.startswith(path + "/") for name in self.files):
            self.sources.add(path)
            return f"source/{path}.md"
        return None

    def copy(self, path):
        (self.output / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.repository / path, self.output / path)

    def text_of(self, page, text, place):
        """A Markdown text whose links lead to the site's pages. `place` is where it stands on the site."""
        def moved(match):
            picture, label, link, anchor = match.groups()
            target = self.target(page, link)
            if target is None:
                self.problems.append(f"{page} links to {link}, which does not exist")
                return match.group(0)
            return f"{picture}[{label}]({os.path.relpath(target, os.path.dirname(place) or '.')}{anchor or ''})"

        out, fenced = [], False
        for part in re.split(r"(^```.*\n)", text, flags=re.MULTILINE):
            if part.startswith("```"):
                fenced = not fenced
            out.append(part if fenced or part.startswith("```") else LINK.sub(moved, part))
        for picture in re.findall(r'<img src="([^"]+)"', text):
            if self.target(page, picture) is None:
                self.problems.append(f"{page} shows {picture}, which does not exist")
        return "".join(out)

    def write(self, place, text):
        path = self.output / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_all(self):
        self.check_contents()
        for page in self.pages:
            if page in self.files:
                self.write(page, self.text_of(page, (self.repository / page).read_text(), page))
        front = self.text_of(FRONT, (self.repository / FRONT).read_text(), "index.md")
        for heading, pages in contents(self.repository):
            front += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n" + "\n".join(pages) + "\n```\n"
        self.write("index.md", front)
        done = set()
        while self.sources - done:
            for path in sorted(self.sources - done):
                done.add(path)
                self.write(f"source/{path}.md", self.source_page(path))

    def source_page(self, path):
        title = f"---\norphan: true\nnosearch: true\n---\n\n# {path}\n\n"
        if path in self.files:
            self.copy(path)
            language = LANGUAGES.get(pathlib.PurePath(path).suffix, "text")
            up = os.path.relpath(path, os.path.dirname(f"source/{path}"))
            return title + f"```{{literalinclude}} {up}\n:language: {language}\n```\n"
        below = {name[len(path) + 1:].partition("/")[0] for name in self.files if name.startswith(path + "/")}
        lines = [f"- [{name}]({os.path.relpath(self.target('', f'{path}/{name}'), os.path.dirname(f'source/{path}'))})\n"
                 for name in sorted(below)]
        return title + "".join(lines)


def main(repository, output):
    output = pathlib.Path(output)
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    site = Site(pathlib.Path(repository).resolve(), output)
    site.write_all()
    if site.problems:
        raise SystemExit("\n".join("site: " + problem for problem in dict.fromkeys(site.problems)))
    print(f"site: {len(site.pages) + 1} pages, {len(site.sources)} sources they link to")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
