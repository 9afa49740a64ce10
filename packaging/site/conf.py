# SPDX-License-Identifier: Apache-2.0
"""How Sphinx builds the site; build.py puts this file beside the pages."""
project = "oclmm"
author = "The oclmm authors"
root_doc = "index"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
# the anchors that GitHub and GitLab give to headings
myst_heading_anchors = 6
# most blocks are what a shell or the program says, or a language that nobody knows
highlight_language = "none"
nitpicky = True
html_theme = "alabaster"
html_title = "oclmm"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["offline.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = False
html_theme_options = {
    "description": "litmus tests of the OpenCL memory model",
    "fixed_sidebar": True,
    "body_max_width": "54rem",
    "font_family": "system-ui, sans-serif",
    "font_size": "16px",
    "head_font_family": "system-ui, sans-serif",
    "page_width": "76rem",
    "sidebar_collapse": True,
    "show_powered_by": False,
    "show_relbars": False,
    "sidebar_width": "17rem",
}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
