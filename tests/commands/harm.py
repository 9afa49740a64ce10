# SPDX-License-Identifier: Apache-2.0
"""Words from outside that mean harm, and what no output may show of them."""

import re
import unicodedata

# What each stands for would be seen in a report: a cleared screen, a test that passed, an annotation
# of a workflow, a command of a build service, words from right to left.
HARM = "".join(("\x1b[2J", "\x1b]0;title\x07", "\nok 99 - forged", "\n::error file=x::forged", "\r\x9b2K",
        "##vso[task.complete result=Succeeded]", "\u202egnorts", "\u2028Bail out!", "\x08\x08"))


def check_lines(case, what, text, newlines="\n"):
    for letter in set(text) - set(newlines + "\t"):
        category = unicodedata.category(letter)
        case.assertNotIn(category, ("Cc", "Cf", "Zl", "Zp", "Cs"), f"{what}: {letter!r}\n{text!r:.2000}")
    for line in re.split("[\n\r]", text):
        case.assertNotRegex(line, r"^\s*(ok 99|Bail out|::(error file=x|warning::\w))", what)
        case.assertNotRegex(line, r"##(vso)?\[", what)


def check_markup(case, what, text):
    """XML and HTML, where a name on a line of its own does no harm."""
    text = re.sub(r"<(style|script)\b.*?</\1>", "", text, flags=re.DOTALL)
    case.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f]", what)
    case.assertNotIn("<forged", text, what)
