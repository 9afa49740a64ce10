#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates the sample's JUnit XML and counts it: check_junit.py XSD PRINT_SAMPLE XMLLINT"""
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

XSD, PROGRAM, XMLLINT = sys.argv[1:]


def run(*arguments):
    data = subprocess.run([PROGRAM, "junit", *arguments], check=True, stdout=subprocess.PIPE).stdout
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        file.write(data)
        file.flush()
        subprocess.run([XMLLINT, "--noout", "--nonet", "--schema", XSD, file.name], check=True)
    return ElementTree.fromstring(data)


def cases(root, element):
    return {case.get("name") for case in root.iter("testcase") if case.find(element) is not None}


def main():
    root = run()
    assert cases(root, "failure") == {"SB.order=sc"}
    body = root.find(".//failure").text
    for words in (" x 0:r0=0; 1:r0=0;", "explain: oclmm explain SB.order=sc", "export: oclmm export SB.order=sc", "replay: "):
        assert words in body, body
    assert cases(root, "error") == {"SB+crash"}
    assert cases(root, "skipped") == {"SB+sg", "SB+known", "SB+accepted", "SB+alone"}
    for suite in [root, *root.iter("testsuite")]:
        counts = [int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")]
        assert counts == [9, 1, 1, 4], counts
    crash = root.find(".//testcase[@name='SB+crash']/error")
    assert crash.get("type") == "crash/device-error"
    assert crash.get("message") == 'crash: clFinish: <CL_OUT_OF_RESOURCES> # "lost"'
    assert root.find(".//property[@name='seed']").get("value") == "42"
    assert cases(run("strict"), "failure") == {"SB.order=sc", "SB+alone"}
    # by choice a case that ran, whose property says what it did not prove; only that one changes
    told = run("unproven")
    assert cases(told, "skipped") == cases(root, "skipped") - {"SB+alone"}
    assert cases(told, "properties") == {"SB+alone"} and not cases(root, "properties")
    skipped = root.find(".//testcase[@name='SB+alone']/skipped").get("message")
    told_property = told.find(".//testcase[@name='SB+alone']/properties/property")
    assert (told_property.get("name"), told_property.get("value")) == ("inconclusive", skipped)
    assert told.get("skipped") == "3" and told.get("failures") == "1"
    # the schema refuses what readers of JUnit would not understand
    for damage in (("<testcase name", "<testcase title"), ("<failure message", "<fail message"), ('tests="9"', 'tests="x"')):
        data = subprocess.run([PROGRAM, "junit"], check=True, stdout=subprocess.PIPE, text=True).stdout
        assert damage[0] in data
        result = subprocess.run([XMLLINT, "--noout", "--nonet", "--schema", XSD, "-"], text=True,
                                input=data.replace(damage[0], damage[1]).replace("</failure>", "</fail>"),
                                stderr=subprocess.DEVNULL, check=False)
        assert result.returncode != 0, damage


main()
