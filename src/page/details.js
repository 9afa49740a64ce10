// SPDX-License-Identifier: Apache-2.0
// What unfolds below a test, made when it is opened. Strings from outside become text, never markup.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { strings, columns, verdicts, kinds } = data;

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
	const [word, sign, look, , , meaning] = verdicts[verdict];

	return make(`span.${look.replace(" ", ".")}`, { title: meaning },
		make("span", { "aria-hidden": "true" }, sign), ` ${word}`);
}

/* The tests, by the names of their parts; the lists in them stay lists. */
const tests = data.tests.map((row, index) => {
	const [name, id, family, question, comment, base, word, specification, lines, picture, seen, cut, filtered,
		others, othersSeen, cells, outcomes] = row;

	return { index, name: strings[name], id: id ? strings[id] : `t-${strings[name]}`, family: strings[family],
		question: strings[question], comment: strings[comment], base: strings[base], word: strings[word],
		specification, lines, picture, seen, cut, filtered, others, othersSeen, cells, outcomes };
});
const byName = new Map(tests.slice().reverse().map((test) => [test.name, test]));

function link(name) {
	const test = byName.get(name);

	return test ? make("a", { href: `#${test.id}` }, name) : make("code", name);
}

/* ---- what silence is worth ---- */

/* Each kind that the test was held against, the compiler's first: [confidence, escape, name, kind]. */
function evidence(cell) {
	return cell && cell[8] && cell[8][0] >= data.reached
		? cell[8].slice(3).map((kind, index) => [...kind, data.controls[index]]).reverse() : [];
}

function told([confidence, escape, , kind]) {
	return confidence === data.reached || confidence === data.rare
		? `${kind} ${escape}` : `${kind}: ${data.confidences[confidence]}`;
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
		...found.map(([confidence, escape, , kind]) => {
			const shows = confidence === data.reached || confidence === data.rare;

			return make(shows ? "span.e" : "span.e.none",
				make(`i.${kind}`, { style: `width:${shows ? 100 * share(escape) : 0}%` }));
		}));
}

/* What the control of a kind is, as the legend says it. */
const STANDS_FOR = { compiler: "the test after one wrong step of a compiler", hardware: "a test that asks for less order" };

function worth([confidence, escape, name, kind]) {
	if (confidence !== data.reached && confidence !== data.rare)
		return make("li", make("b", kind), `: ${data.confidences[confidence]}.`);
	return make("li", make("b", kind), ": a device with a bug that shows as often as in ",
		...(name ? [link(strings[name]), ` (${STANDS_FOR[kind]})`] : ["its control"]),
		` would have stayed silent with a probability of ${escape}.`);
}

/* What silence is worth, by kinds of control; in words where it was not held against any. */
function silence(cell) {
	const [confidence, together, limit] = cell[8];

	if (confidence < data.reached)
		return make("p", `Confidence: ${data.confidences[confidence]}.`);
	return make("div", make("p", "It stayed silent. What that is worth:"), make("ul", ...evidence(cell).map(worth),
		make("li", together ? "Launches were not kept apart and count as one."
			: `A bug that shows in ${limit} of launches or more would have been seen with 95 % confidence.`)));
}

/* ---- one column's result ---- */

/* The line that repeats it, whole: it is there to be pasted. */
function command(test, [begin, environment, end]) {
	return `${strings[begin]}${environment ? ` --environment ${strings[environment]}` : ""} ${strings[end]} ${test.word}`;
}

function replay(test, cell) {
	if (!cell[10])
		return null;
	return make("details.replay", make("summary", "The command that repeats it"),
		make("pre", { tabindex: "0" }, make("code", command(test, cell[10]))));
}

function sums(cell) {
	const [, instances, seconds] = cell;

	if (!instances)
		return "";
	return ` ${quantity(instances)} instances${seconds ? ` in ${seconds} s` : ""}` +
		[["weak", cell[3]], ["forbidden", cell[4]], ["disputed", cell[5]]].filter(([, count]) => count)
			.map(([word, count]) => `, ${exact(count)} ${word}`).join("") + ".";
}

function result(test, cell, column) {
	const [verdict, , , , , , deciding, notes, , log] = cell;
	const meaning = verdicts[verdict][5];
	const list = make(verdicts[verdict][4] ? "div.result.failed" : "div.result", make("p", chip(verdict), columns.length > 1 ? make("b", ` ${columns[column]}`) : null,
		` ${meaning[0].toUpperCase()}${meaning.slice(1)}.`, ...notes.map((note) => ` ${strings[note]}`), sums(cell),
		...data.knobs.filter((_, index) => deciding >> index & 1).map((knob) => ` ${knob}.`)), cell[8] ? silence(cell) : null);

	if (strings[log].trim())
		list.append(make("details", make("summary", "What the compiler said"),
			make("pre", { tabindex: "0" }, strings[log])));
	list.append(replay(test, cell) || "");
	return list;
}

/* ---- outcomes ---- */

function count(number, column, test) {
	const cell = make("td", { "data-h": columns[column] });
	const instances = test.cells[column][1];

	if (number) {
		/* log(1 + n), so that a single instance is seen too */
		const width = Math.max(1, 100 * Math.log1p(number) / Math.log1p(instances));

		cell.append(make("span.bar", { "aria-hidden": "true" }, make("i", { style: `width:${width.toFixed(0)}%` })));
	}
	cell.append(make(number ? "span" : "span.never", number ? exact(number) : "never"));
	return cell;
}

function outcome([name, kind, deciding, ...counts], test, ran) {
	const [word, sign, meaning] = kinds[kind];
	const heading = make("th", { scope: "row" }, make("code", strings[name] || "(nothing observed)"));

	if (sign)
		heading.append(" ", make("span.k", { title: meaning }, `${sign} ${word}`, deciding ? ` ${strings[deciding]}` : ""));
	return make(`tr.${word}`, heading, ...ran.map((column) => count(counts[column], column, test)));
}

function histogram(test) {
	const ran = columns.map((_, index) => index).filter((index) => test.cells[index] && test.cells[index][1]);
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
						make("span", { title: exact(test.cells[column][1]) }, quantity(test.cells[column][1])), " instances")))),
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
	const [model, condition, observation, why] = test.specification.map((index) => strings[index]);

	return make("p", `The specification${model ? ` (${model})` : ""} on `, make("code", condition), ": ",
		make("strong", observation), why ? ` – ${why}` : "", ".");
}

/* The shape's pieces with the test's words between them. What is not well-formed is not shown. */
function picture(test) {
	if (!test.picture)
		return null;
	const [shape, forbidden, name, words] = test.picture;
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

	return ran.sort(([a], [b]) => verdicts[a[0]][3] - verdicts[b[0]][3]).map(([cell, column]) => result(test, cell, column));
}

function details(test) {
	const parts = [...words(test), ...results(test), histogram(test), rest(test), specification(test)];

	if (test.lines.length)
		parts.push(make("pre", { tabindex: "0", "aria-label": "The test" }, test.lines.map((line) => strings[line]).join("\n")));
	parts.push(picture(test));
	return make("div.detail", ...parts.filter((part) => part));
}
