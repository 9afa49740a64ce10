// SPDX-License-Identifier: Apache-2.0
// The matrix: families, below them tests, below them details; a column for each device or run. What the
// filter shows stands in the address, so that a view can be sent on: #verdict=forbidden&q=MP.
(() => {
	const form = document.getElementById("filter");
	const shown = document.getElementById("shown");
	const matrix = document.getElementById("matrix");
	const names = ["q", "verdict", "family", "seen"];
	/* More rows than these are shown when asked for: nobody reads them, and each key would wait for them. */
	const ROWS = 40;
	const families = [...new Set(tests.map((test) => test.family))].map((name) => ({
		name, id: identifier("f", name), tests: tests.filter((test) => test.family === name), body: null,
	}));
	const state = { unfolded: new Set(), opened: new Set(), whole: new Set(), wanted: {}, printing: false };

	for (const test of tests)
		test.text = `${test.name} ${test.question}`.toLowerCase();

	function identifier(letter, name) {
		return `${letter}-${name.replace(/[^\w.+=-]/g, "_")}`;
	}

	function failed(test) {
		return test.cells.some((cell) => cell && cell.verdict.failed);
	}

	function matches(test, wanted, words) {
		return (!wanted.verdict || test.cells.some((cell) => cell && cell.verdict.word === wanted.verdict)) &&
			(!wanted.family || test.family === wanted.family) &&
			(!wanted.seen || test.seen.has(wanted.seen)) &&
			words.every((word) => test.text.includes(word));
	}

	/* ---- rows ---- */

	function none(column) {
		return make("td.none", { "data-h": columns[column] }, "not run");
	}

	/* A family's tests in one column: how many of each verdict, as a bar and as numbers. */
	function tally(found, column) {
		const counts = new Map();
		let total = 0;

		for (const test of found) {
			const cell = test.cells[column];

			if (cell) {
				counts.set(cell.verdict, (counts.get(cell.verdict) || 0) + 1);
				total++;
			}
		}
		const order = [...counts].sort(([a], [b]) => a.gravity - b.gravity);

		if (!total)
			return none(column);
		return make("td", { "data-h": columns[column] }, make("span.stack", { "aria-hidden": "true" }, ...order.map(([verdict, count]) =>
			make(`i.${verdict.look.split(" ")[1]}`, { style: `flex-grow:${count}` }))),
		make("span.counts", ...order.map(([verdict, count]) => make(`span.${verdict.look.split(" ")[1]}`,
			{ title: `${count} ${verdict.word}: ${verdict.meaning}` },
			make("span", { "aria-hidden": "true" }, `${verdict.sign} `), String(count),
			make("span.said", ` ${verdict.word}`)))));
	}

	function button(label, open, press) {
		const made = make("button.fold", { type: "button", "aria-expanded": String(open) }, label);

		made.addEventListener("click", press);
		return made;
	}

	function result(cell, column) {
		if (!cell)
			return none(column);
		const { verdict, instances, weak, forbidden } = cell;

		return make("td", { "data-h": columns[column] }, chip(verdict), " ", instances ? make("span.seen",
			{ title: `${exact(weak + forbidden)} in ${exact(instances)} instances` },
			`${quantity(weak + forbidden)} in ${quantity(instances)}`) : null, bars(cell));
	}

	function rows(test) {
		const open = state.unfolded.has(test) || (state.printing && failed(test));
		const row = make("tr.t", { id: test.id }, make("th", { scope: "row" }, button(test.name, open, () => {
			if (!state.unfolded.delete(test))
				state.unfolded.add(test);
			draw(familyOf(test));
			document.getElementById(test.id).querySelector("button").focus();
		})), ...test.cells.map(result));

		return open ? [row, make("tr.d", make("td", { colspan: String(columns.length + 1) }, details(test)))] : [row];
	}

	function familyOf(test) {
		return families.find((family) => family.name === test.family);
	}

	/* ---- the matrix ---- */

	function isFiltered() {
		return names.some((name) => state.wanted[name]);
	}

	/* Those of a family that are to be seen now. */
	function chosen(family) {
		if (state.opened.has(family) || family.first)
			return state.whole.has(family) ? family.found
				: family.found.filter((test, index) => index < family.first || state.unfolded.has(test));
		return state.printing ? family.found.filter((test) => failed(test) || state.unfolded.has(test)) : [];
	}

	function draw(family) {
		const list = chosen(family), body = make("tbody");
		const open = list.length > 0;

		if (family.found.length) {
			const heading = make("th", { scope: "row" }, button(family.name || "(none)", open, () => {
				state.opened[open ? "delete" : "add"](family);
				family.first = open ? 0 : ROWS;
				draw(family);
				document.getElementById(family.id).querySelector("button").focus();
			}), make("span.note", family.found.length < family.tests.length
				? ` ${family.found.length} of ${family.tests.length}` : ` ${family.tests.length}`));

			body.append(make("tr.f", { id: family.id }, heading, ...columns.map((_, column) => tally(family.found, column))));
		}
		for (const test of list)
			body.append(...rows(test));
		if (open && list.length < family.found.length && !state.printing)
			body.append(make("tr.more", make("td", { colspan: String(columns.length + 1) },
				more(family, family.found.length - list.length))));
		if (family.body)
			family.body.replaceWith(body);
		family.body = body;
	}

	function more(family, count) {
		const made = make("button", { type: "button" }, `show ${count} more of ${family.name || "(none)"}`);

		made.addEventListener("click", () => {
			state.opened.add(family);
			state.whole.add(family);
			draw(family);
		});
		return made;
	}

	/* With a filter the first rows that match are there at once. */
	function apply() {
		const words = state.wanted.q.toLowerCase().split(/\s+/);
		let room = ROWS, count = 0;

		for (const family of families) {
			family.found = family.tests.filter((test) => matches(test, state.wanted, words));
			count += family.found.length;
			family.first = isFiltered() ? Math.min(room, family.found.length) : state.opened.has(family) ? ROWS : 0;
			room -= family.first;
			draw(family);
		}
		shown.textContent = `${exact(count)} of ${exact(tests.length)} tests`;
	}

	function build() {
		document.documentElement.style.setProperty("--mark", `${100 * share(1 - data.demand)}%`);
		const table = make("table.m", { style: `--columns:${columns.length}` },
			make("thead", make("tr", make("th", { scope: "col" }, "family, test"),
				...columns.map((label) => make("th", { scope: "col" }, label)))));

		for (const family of families) {
			family.body = make("tbody");
			table.append(family.body);
			form.elements.family.append(make("option", { value: family.name }, family.name || "(none)"));
		}
		matrix.append(table);
	}

	/* A heading without more columns than fit stays below the filter; what is scrolled to or focused, below both. */
	function measure() {
		const heading = matrix.querySelector("thead th:last-child");
		const set = (name, height) => document.documentElement.style.setProperty(name, `${height}px`);

		/* the keys reach what they can move */
		matrix.tabIndex = matrix.classList.toggle("few",
			matrix.querySelector("table").offsetWidth <= matrix.clientWidth) ? -1 : 0;
		set("--filter", form.offsetHeight);
		set("--covered", [form, heading].filter((part) => getComputedStyle(part).position === "sticky")
			.reduce((sum, part) => sum + part.offsetHeight, 0));
	}

	/* ---- the address ---- */

	function read() {
		state.wanted = Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]));
	}

	function remember() {
		read();
		state.opened.clear();
		state.whole.clear();
		apply();
		const parts = names.filter((name) => state.wanted[name])
			.map((name) => name + "=" + encodeURIComponent(state.wanted[name]));

		history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
	}

	function decode(text) {
		try {
			return decodeURIComponent(text);
		} catch (error) {
			return text;
		}
	}

	function reveal(test) {
		const family = familyOf(test);

		if (!family.found.includes(test)) {
			form.reset();
			read();
			apply();
		}
		state.opened.add(family);
		state.unfolded.add(test);
		family.first = Math.max(family.first, 1);
		draw(family);
		document.getElementById(test.id).scrollIntoView();
		document.getElementById(test.id).querySelector("button").focus({ preventScroll: true });
	}

	/* A view, or a test, which then has to be in sight and where the next key goes. Without either: all, as at first. */
	function follow() {
		const address = decode(location.hash.slice(1));
		const test = tests.find((candidate) => candidate.id === address);
		const pairs = Object.fromEntries(location.hash.slice(1).split("&").map((part) => {
			const at = part.indexOf("=");
			return [part.slice(0, Math.max(at, 0)), decode(part.slice(at + 1))];
		}));

		if (test) {
			reveal(test);
		} else if (names.some((name) => name in pairs)) {
			for (const name of names)
				form.elements[name].value = pairs[name] || "";
			read();
			apply();
			document.getElementById("tests").scrollIntoView();
			document.getElementById("tests").focus({ preventScroll: true });
		} else if (!address && isFiltered()) {
			form.reset();
			read();
			apply();
		}
	}

	/* ---- all at once ---- */

	/* A closed family shows none of its tests: it is opened first. */
	function unfold(value) {
		for (const family of families) {
			if (value && !isFiltered() && !chosen(family).length) {
				state.opened.add(family);
				family.first = ROWS;
			}
			for (const test of value ? chosen(family) : family.tests)
				state.unfolded[value ? "add" : "delete"](test);
			draw(family);
		}
	}

	/* On paper nothing can be unfolded, so what failed is, and what explains it. */
	function print(value) {
		if (state.printing === value)
			return;
		state.printing = value;
		for (const family of families)
			draw(family);
		if (value)
			state.folded = document.querySelectorAll("header details:not([open]), #legend:not([open]), .failed details");
		for (const part of state.folded)
			part.open = value;
	}

	build();
	form.hidden = false;
	matrix.hidden = false;
	/* at once, because an address may scroll there, and whenever their heights change */
	measure();
	const observer = new ResizeObserver(measure);
	observer.observe(form);
	observer.observe(matrix);
	observer.observe(matrix.querySelector("thead"));
	form.addEventListener("input", remember);
	form.addEventListener("submit", (event) => event.preventDefault());
	document.getElementById("open").addEventListener("click", () => unfold(true));
	document.getElementById("close").addEventListener("click", () => unfold(false));
	addEventListener("hashchange", follow);
	addEventListener("beforeprint", () => print(true));
	addEventListener("afterprint", () => print(false));
	matchMedia("print").addEventListener("change", (event) => print(event.matches));
	read();
	apply();
	follow();
})();
