// SPDX-License-Identifier: Apache-2.0
// What unfolds below a test, made when it is opened. Strings from outside become text, never markup.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { strings, columns, keys } = data;

/* What stands in lists by the names that the page gives their places; nothing stays nothing. */
function named(names, list) {
	const object = {};

	if (!list)
		return null;
	names.forEach((name, index) => { object[name] = list[index]; });
	return object;
}

const verdicts = data.verdicts.map((list) => named(keys.verdict, list));
const kinds = data.kinds.map((list) => named(keys.kind, list));

/* `make("p.note", "text", child)`; a function or an attribute goes into an object. */
function make(what, ...children) {
	const [name, ...classes] = what.split(".");
	const element = document.createElement(name);

	if (classes.length)
		element.className = classes.join(" ");
	for (const child of children) {
		if (child && child.constructor === Object)
			for (const [key, value] of Object.entries(child))
				element.setAttribute(key, value);
		else if (child !== null && child !== undefined)
			element.append(child);
	}
	return element;
}

/* A count for people, `12.3 M`, with the exact number as its title. */
function quantity(number) {
	for (const [factor, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
		if (number / factor >= .99995)
			return `${(number / factor).toFixed(number / factor >= 99.95 ? 0 : 1)} ${unit}`;
	return String(number);
}

const grouped = new Intl.NumberFormat("en");

function exact(number) {
	return grouped.format(number);
}

function chip(verdict) {
	return make(`span.${verdict.look.replace(" ", ".")}`, { title: verdict.meaning },
		make("span", { "aria-hidden": "true" }, verdict.sign), ` ${verdict.word}`);
}

const tests = data.tests.map((list, index) => {
	const test = named(keys.test, list);

	for (const key of ["name", "id", "family", "question", "comment", "base", "word"])
		test[key] = strings[test[key]];
	test.index = index;
	test.id = test.id || `t-${test.name}`;
	test.cells = test.cells.map((cell) => named(keys.cell, cell));
	for (const cell of test.cells)
		if (cell)
			cell.verdict = verdicts[cell.verdict];
	return test;
});
const byName = new Map(tests.slice().reverse().map((test) => [test.name, test]));

function link(name) {
	const test = byName.get(name);

	return test ? make("a", { href: `#${test.id}` }, name) : make("code", name);
}

/* ---- what silence is worth ---- */

/* Each kind that the test was held against, the compiler's first. */
function evidence(cell) {
	const found = cell && named(keys.evidence, cell.evidence);

	return found && found.confidence >= data.reached
		? data.controls.map((kind) => ({ kind, ...named(keys.control, found[kind]) })).reverse() : [];
}

function shows({ confidence }) {
	return confidence === data.reached || confidence === data.rare;
}

function told(control) {
	return shows(control) ? `${control.kind} ${control.escape}` : `${control.kind}: ${data.confidences[control.confidence]}`;
}

/* A full bar is one chance in a million that a device with the bug stayed silent. */
function share(escape) {
	return Math.min(1, Math.max(0, -Math.log10(Math.max(escape, 1e-6)) / 6));
}

function bars(cell) {
	const found = evidence(cell);

	if (!found.length)
		return null;
	return make("span.ev", { role: "img", "aria-label": found.map(told).join("; "), title: found.map(told).join("\n") },
		...found.map((control) => make(shows(control) ? "span.e" : "span.e.none",
			make(`i.${control.kind}`, { style: `width:${shows(control) ? 100 * share(control.escape) : 0}%` }))));
}

/* What the control of a kind is, as the legend says it. */
const STANDS_FOR = { compiler: "the test after one wrong step of a compiler", hardware: "a test that asks for less order" };

function worth(control) {
	const { kind, name, escape } = control;

	if (!shows(control))
		return make("li", make("b", kind), `: ${data.confidences[control.confidence]}.`);
	return make("li", make("b", kind), ": a device with a bug that shows as often as in ",
		...(name ? [link(strings[name]), ` (${STANDS_FOR[kind]})`] : ["its control"]),
		` would have stayed silent with a probability of ${escape}.`);
}

/* What silence is worth, by kinds of control; in words where it was not held against any. */
function silence(cell) {
	const { confidence, together, limit } = named(keys.evidence, cell.evidence);

	if (confidence < data.reached)
		return make("p", `Confidence: ${data.confidences[confidence]}.`);
	return make("div", make("p", "It stayed silent. What that is worth:"), make("ul", ...evidence(cell).map(worth),
		make("li", together ? "Launches were not kept apart and count as one."
			: limit < 1 ? `A bug that shows in ${limit} of launches or more would have been seen with 95 % confidence, if launches are `
				+ "independent of each other or hang together as its control's hits do."
			: "Its launches would not have shown a bug, or are too few to.")));
}

/* ---- one column's result ---- */

/* The line that repeats it, whole: it is there to be pasted. */
function command(test, list) {
	const { begin, environment, end } = named(keys.command, list);

	return `${strings[begin]}${environment ? ` --environment ${strings[environment]}` : ""} ${strings[end]} ${test.word}`;
}

function replay(test, cell) {
	if (!cell.command)
		return null;
	return make("details.replay", make("summary", "The command that repeats it"),
		make("pre", { tabindex: "0" }, make("code", command(test, cell.command))));
}

function sums(cell) {
	if (!cell.instances)
		return "";
	return ` ${quantity(cell.instances)} instances${cell.seconds ? ` in ${cell.seconds} s` : ""}` +
		["weak", "forbidden", "disputed"].filter((key) => cell[key])
			.map((key) => `, ${exact(cell[key])} ${key === "weak" ? "asked" : key}`).join("") + ".";
}

function result(test, cell, column) {
	const { verdict, deciding, notes, log } = cell, { meaning } = verdict;
	const list = make(verdict.failed ? "div.result.failed" : "div.result", make("p", chip(verdict), columns.length > 1 ? make("b", ` ${columns[column]}`) : null,
		` ${meaning[0].toUpperCase()}${meaning.slice(1)}.`, ...notes.map((note) => ` ${strings[note]}`), sums(cell),
		...data.knobs.filter((_, index) => deciding >> index & 1).map((knob) => ` ${knob}.`)), cell.evidence ? silence(cell) : null);

	if (strings[log].trim())
		list.append(make("details", make("summary", "What the compiler said"),
			make("pre", { tabindex: "0" }, strings[log])));
	list.append(replay(test, cell) || "");
	return list;
}

/* ---- outcomes ---- */

function count(number, column, test) {
	const cell = make("td", { "data-h": columns[column] });
	const { instances } = test.cells[column];

	if (number) {
		/* log(1 + n), so that a single instance is seen too */
		const width = Math.max(1, 100 * Math.log1p(number) / Math.log1p(instances));

		cell.append(make("span.bar", { "aria-hidden": "true" }, make("i", { style: `width:${width.toFixed(0)}%` })));
	}
	cell.append(make(number ? "span" : "span.never", number ? exact(number) : "never"));
	return cell;
}

function outcome(list, test, ran) {
	const { name, kind, deciding, counts } = named(keys.outcome, list), { word, sign, meaning } = kinds[kind];
	const heading = make("th", { scope: "row" }, make("code", strings[name] || "(nothing observed)"));

	if (sign)
		heading.append(" ", make("span.k", { title: meaning }, `${sign} ${word}`, deciding ? ` ${strings[deciding]}` : ""));
	return make(`tr.${word}`, heading, ...ran.map((column) => count(counts[column], column, test)));
}

function histogram(test) {
	const ran = columns.map((_, index) => index).filter((index) => test.cells[index] && test.cells[index].instances);
	const body = make("tbody", ...test.outcomes.map((row) => outcome(row, test, ran)));

	if (!test.outcomes.length)
		return null;
	if (test.others)
		body.append(make("tr.allowed", make("th", { scope: "row" }, `${exact(test.others)} others`),
			...ran.map((column) => count(test.othersSeen[column], column, test))));
	/* a caption would be cut where the table is wider than the window */
	return make("div", make("p.note", "How often each outcome was seen, on a logarithmic scale:"),
		make("div.frame", { role: "region", "aria-label": "How often each outcome was seen", tabindex: "0" },
			make("table.h", { style: `--columns:${ran.length + 1}` },
				make("thead", make("tr", make("th", { scope: "col" }, "outcome"), ...ran.map((column) =>
					make("th", { scope: "col" }, columns.length > 1 ? `${columns[column]}: ` : "",
						make("span", { title: exact(test.cells[column].instances) }, quantity(test.cells[column].instances)), " instances")))),
				body)));
}

function rest(test) {
	const parts = [];

	if (test.cut)
		parts.push(`${exact(test.cut)} instances were cut: a bounded loop ended before its condition did. `);
	if (test.filtered)
		parts.push(`${exact(test.filtered)} instances were turned away by the test's filter.`);
	return parts.length ? make("p.note", ...parts) : null;
}

/* ---- the test itself ---- */

function specification(test) {
	if (!test.specification)
		return null;
	const { model, condition, observation, why } = named(keys.specification, test.specification.map((index) => strings[index]));

	return make("p", `The specification${model ? ` (${model})` : ""} on `, make("code", condition), ": ",
		make("strong", observation), why ? ` – ${why}` : "", ".");
}

/* The shape's pieces with the test's words between them. What is not well-formed is not shown. */
function picture(test) {
	if (!test.picture)
		return null;
	const { shape, forbidden, name, words } = named(keys.picture, test.picture);
	let next = 0;
	const text = data.shapes[shape].map((piece) => data.pieces[piece < 0 ? words[next++] : piece]).join("");
	const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;

	if (svg.localName !== "svg")
		return null;
	return make("figure", make("div.frame.picture", { tabindex: "0" }, document.importNode(svg, true)),
		make("figcaption", forbidden ? "What the outcome " : "An execution that ends in ", make("code", strings[name]),
			forbidden ? " would take, and the cycle that forbids it." : "."));
}

/* Lines of a comment are broken for the file; here only empty ones part anything. */
function words(test) {
	const parts = test.question ? [make("p.q", test.question)] : [];

	if (test.base)
		parts.push(make("p.note", "A variant of ", link(test.base), "."));
	else if (test.comment)
		parts.push(...test.comment.split(/\n\n+/).map((text) => make("p.c", text)));
	return parts;
}

/* What failed stands first. */
function results(test) {
	const ran = test.cells.map((cell, column) => [cell, column]).filter(([cell]) => cell);

	return ran.sort(([a], [b]) => a.verdict.gravity - b.verdict.gravity).map(([cell, column]) => result(test, cell, column));
}

function details(test) {
	const parts = [...words(test), ...results(test), histogram(test), rest(test), specification(test)];

	if (test.lines.length)
		parts.push(make("pre", { tabindex: "0", "aria-label": "The test" }, test.lines.map((line) => strings[line]).join("\n")));
	parts.push(picture(test));
	return make("div.detail", ...parts.filter((part) => part));
}
