# SPDX-License-Identifier: Apache-2.0
"""Sphinx settings of `make docs`. Nothing on the site comes from the network: no fonts, no scripts, no icons."""

project = "fedstein"
author = "The fedstein developers"
copyright = "The fedstein developers"
root_doc = "index"

extensions = ["myst_parser"]
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4

# A link that leads nowhere is an error. Types of other libraries in C++ declarations have no page here.
nitpicky = True
nitpick_ignore_regex = [("cpp:.*", ".*")]

html_theme = "furo"
html_title = "fedstein"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "monokai"
highlight_language = "text"
maximum_signature_line_length = 100
toc_object_entries = False
cpp_index_common_prefix = ["fedstein::", "fedstein::methods::"]
