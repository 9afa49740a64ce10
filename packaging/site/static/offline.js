// SPDX-License-Identifier: Apache-2.0
// From a disk a page may not read others, so the search has titles and no extracts there.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined")
	DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
