// SPDX-License-Identifier: Apache-2.0
// What the filter shows stands in the address, so that a view can be sent on:
// #verdict=forbidden&q=MP. Without this script the page shows everything.
"use strict";
(() => {
	const form = document.getElementById("filter");
	const shown = document.getElementById("shown");
	const names = ["q", "verdict", "family", "seen"];
	const tests = Array.from(document.querySelectorAll("details.t"), (element) => ({
		element,
		family: element.parentElement.dataset.f,
		verdicts: element.dataset.v.split(" "),
		kinds: (element.dataset.k || "").split(" "),
		text: (element.querySelector("summary b").textContent + " " +
			(element.querySelector(".q") || { textContent: "" }).textContent).toLowerCase(),
	}));
	const families = Array.from(document.querySelectorAll("section.f"));

	function matches(test, wanted) {
		return (!wanted.verdict || test.verdicts.includes(wanted.verdict)) &&
			(!wanted.family || test.family === wanted.family) &&
			(!wanted.seen || test.kinds.includes(wanted.seen)) &&
			wanted.q.toLowerCase().split(/\s+/).every((word) => test.text.includes(word));
	}

	function apply() {
		const wanted = Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]));
		let count = 0;

		for (const test of tests) {
			test.element.hidden = !matches(test, wanted);
			count += !test.element.hidden;
		}
		for (const family of families)
			family.hidden = !family.querySelector("details.t:not([hidden])");
		shown.textContent = `${count} of ${tests.length} tests`;
		return wanted;
	}

	function remember() {
		const wanted = apply();
		const parts = names.filter((name) => wanted[name])
			.map((name) => name + "=" + encodeURIComponent(wanted[name]));

		history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
	}

	function decode(text) {
		try {
			return decodeURIComponent(text);
		} catch (error) {
			return text;
		}
	}

	/* A view, or the name of a test, which then has to be in sight. */
	function follow() {
		const address = location.hash.slice(1);
		const target = address && document.getElementById(decode(address));
		const pairs = Object.fromEntries(address.split("&").map((part) => {
			const at = part.indexOf("=");
			return [part.slice(0, Math.max(at, 0)), decode(part.slice(at + 1))];
		}));

		if (!target && names.some((name) => name in pairs)) {
			for (const name of names)
				form.elements[name].value = pairs[name] || "";
			apply();
			document.getElementById("tests").scrollIntoView();
			return;
		}
		if (!target)
			return;
		if (target.hidden || target.parentElement.hidden) {
			form.reset();
			apply();
		}
		if (target.closest("details"))
			target.closest("details").open = true;
		target.scrollIntoView();
	}

	function open(value) {
		for (const test of tests) {
			if (!test.element.hidden || !value)
				test.element.open = value;
		}
	}

	form.hidden = false;
	form.addEventListener("input", remember);
	form.addEventListener("submit", (event) => event.preventDefault());
	document.getElementById("open").addEventListener("click", () => open(true));
	document.getElementById("close").addEventListener("click", () => open(false));
	addEventListener("hashchange", follow);
	apply();
	follow();
})();
