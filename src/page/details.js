// SPDX-License-Identifier: Apache-2.0
// What unfolds below a test, made when it is opened. Strings from outside become text, never markup.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { strings, columns } = data;

/* The text of a results file. Between two backquotes stands what is not said again: how far back, and how long. */
function unpack(text) {
	const QUOTE = 96, NINE = 57, packed = new TextEncoder().encode(text);
	let from = 0, at = 0;
	const number = () => {
		let value = 0;

		for (let digit = packed[from++]; digit >= 48 && digit !== QUOTE; digit = packed[from++])
			value = value * 36 + digit - (digit > NINE ? 87 : 48);
		return value;
	};
	const bytes = new Uint8Array(number());

	while (from < packed.length) {
		const byte = packed[from++];

		if (byte === QUOTE && packed[from] !== QUOTE) {
			const distance = number(), length = number();

			bytes.copyWithin(at, at - distance, at - distance + length);
			at += length;
		} else {
			bytes[at++] = byte;
			from += byte === QUOTE;
		}
	}
	return new TextDecoder().decode(bytes);
}

/* What is said of the confidence of a record follows it. */
const records = [];
for (const line of unpack(document.getElementById("results").textContent).trim().split("\n")) {
	const object = JSON.parse(line);

	if (object.type === "test")
		records.push(Object.assign(object, { line }));
	else if (object.type === "confidence")
		records[records.length - 1].judged = object;
}

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

/* All records of one test in one column; the first is the gravest and speaks for them. */
function cellOf({ records: numbers, ...cell }) {
	const found = numbers.map((number) => records[number]), [record] = found;

	for (const key of ["instances", "seconds", "weak", "forbidden", "disputed", "cut", "filtered"])
		cell[key] = found.reduce((sum, other) => sum + other[key], 0);
	return Object.assign(cell, { record, records: found, verdict: data.verdicts[record.verdict] });
}

/* What an outcome is to its test. */
function kindOf({ status, witness }) {
	return { forbidden: "forbidden", disputed: "disputed", undefined: "unjudged" }[status] || (witness ? "weak" : "allowed");
}

/* What can be filtered by: the kinds of the outcomes that were seen, and whether columns differ. */
function seenIn(test) {
	const seen = new Set(test.differs ? ["differs"] : []);

	for (const cell of test.cells)
		for (const record of cell ? cell.records : [])
			for (const outcome of record.outcomes)
				if (outcome.count)
					seen.add(kindOf(outcome));
	return seen;
}

const tests = data.tests.map((test, index) => {
	for (const key of ["name", "id", "family", "question", "comment", "base", "word", "observes"])
		test[key] = strings[test[key] || 0];
	test.index = index;
	test.id = test.id || `t-${test.name}`;
	test.cells = test.cells.map((cell) => cell && cellOf(cell));
	test.seen = seenIn(test);
	return test;
});
const byName = new Map(tests.slice().reverse().map((test) => [test.name, test]));

function link(name) {
	const test = byName.get(name);

	return test ? make("a", { href: `#${test.id}` }, name) : make("code", name);
}

/* ---- what silence is worth ---- */

/* Two digits of a probability are enough. */
function rounded(number) {
	return Number(number.toPrecision(2));
}

/* Of passes that need no control, or are there to be seen, nothing is asked. */
function heldAgainst({ judged }) {
	return judged && !["not-needed", "control"].includes(judged.confidence);
}

/* Each kind that the test was held against, the compiler's first. */
function evidence(cell) {
	if (!cell || !heldAgainst(cell.record))
		return [];
	const { judged } = cell.record;

	return data.controls.map((kind) => ({ kind, name: strings[cell[kind] || 0], confidence: judged[kind] || "not-judged",
		escape: rounded(judged[`${kind}_escape`]) })).reverse();
}

function shows({ confidence }) {
	return confidence === "reached" || confidence === "too-rare";
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
		...(name ? [link(name), ` (${STANDS_FOR[kind]})`] : ["its control"]),
		` would have stayed silent with a probability of ${escape}.`);
}

/* What silence is worth, by kinds of control; in words where it was not held against any. */
function silence(cell) {
	const { confidence, together, limit } = cell.record.judged;

	if (!heldAgainst(cell.record))
		return make("p", `Confidence: ${data.confidences[confidence]}.`);
	return make("div", make("p", "It stayed silent. What that is worth:"), make("ul", ...evidence(cell).map(worth),
		make("li", together ? "Launches were not kept apart and count as one."
			: limit < 1 ? `A bug that shows in ${rounded(limit)} of launches or more would have been seen with 95 % confidence, if launches are `
				+ "independent of each other or hang together as its control's hits do."
			: "Its launches would not have shown a bug, or are too few to.")));
}

/* ---- one column's result ---- */

/* The line that repeats it, whole: it is there to be pasted. */
function command(test, { begin, environment, end }) {
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
	return ` ${quantity(cell.instances)} instances${cell.seconds ? ` in ${rounded(cell.seconds)} s` : ""}` +
		["weak", "forbidden", "disputed"].filter((key) => cell[key])
			.map((key) => `, ${exact(cell[key])} ${key === "weak" ? "asked" : key}`).join("") + ".";
}

/* What a record says beside its verdict and its counts. */
function notesOf({ message, cause, known, class: claims, gates, verdict }) {
	return [message && `${message}.`, cause && data.verdicts[verdict].failed && verdict !== "forbidden" && `(${cause})`,
		known && `Listed: ${known}.`,
		claims === "accepted" && "Accepted, though the device does not claim all of it.",
		!gates && data.verdicts[verdict].failed && "It does not gate."].filter((note) => note);
}

/* Several records of one verdict say the same. */
function notes(cell) {
	return cell.records.filter(({ verdict }, index) =>
		cell.records.findIndex((other) => other.verdict === verdict) === index).flatMap(notesOf);
}

/* The questions on which it depends whether an outcome that was seen is allowed. */
function questions(cell) {
	const deciding = cell.records.flatMap(({ outcomes }) => outcomes.filter(({ status, count }) => status === "disputed" && count)
		.flatMap((outcome) => outcome.deciding || []));

	return Object.keys(data.knobs).filter((knob) => deciding.includes(knob)).map((knob) => ` ${knob}: ${data.knobs[knob]}.`);
}

function result(test, cell, column) {
	const { verdict, record } = cell, { meaning } = verdict, log = record.build_log || "";
	const list = make(verdict.failed ? "div.result.failed" : "div.result", make("p", chip(verdict), columns.length > 1 ? make("b", ` ${columns[column]}`) : null,
		` ${meaning[0].toUpperCase()}${meaning.slice(1)}.`, ...notes(cell).map((note) => ` ${note}`), sums(cell), ...questions(cell)),
	record.judged ? silence(cell) : null);

	if (log.trim())
		list.append(make("details", make("summary", "What the compiler said"),
			make("pre", { tabindex: "0" }, log)));
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

/* Numbers of 64 bits are more than this language has: they stay texts. */
function exactly(line) {
	return JSON.parse(line.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g,
		(found) => /^-?\d{16,}$/.test(found) ? `"${found}"` : found));
}

function compare(a, b) {
	const at = a.findIndex((value, index) => value !== b[index]);

	if (at < 0)
		return 0;
	/* numbers before what is none, as "INFINITY" */
	if (typeof a[at] !== typeof b[at])
		return typeof a[at] === "bigint" ? -1 : 1;
	return a[at] < b[at] ? -1 : 1;
}

function ordered(value) {
	return /^-?[0-9]+$/.test(value) ? BigInt(value) : value;
}

/* Devices of other versions may have other rules: what broke one is told. */
const GRAVITY = ["forbidden", "disputed", "allowed", "undefined"];

/* Adds a row of a record to the outcomes of its test. */
function addRow(found, row, column) {
	const name = Object.entries(row.values).map(([key, value]) => `${key}=${value};`).join(" ");
	const count = Number(row.count);

	if (!found.has(name))
		found.set(name, { name, row, values: Object.values(row.values).map(ordered), counts: columns.map(() => 0), total: 0 });
	const outcome = found.get(name);

	if (count && GRAVITY.indexOf(row.status) < GRAVITY.indexOf(outcome.row.status))
		outcome.row = row;
	outcome.counts[column] += count;
	outcome.total += count;
	outcome.tells = outcome.tells || row.witness || (count > 0 && row.status !== "allowed");
}

/* More outcomes than these nobody reads: those that tell something, then the most frequent. */
const MOST_OUTCOMES = 256;

/* The outcomes of a test over all its records, each once, ascending; and what is left out. */
function outcomesOf(test) {
	const found = new Map();

	test.cells.forEach((cell, column) => {
		for (const { line } of cell ? cell.records : [])
			for (const row of exactly(line).outcomes)
				/* a record of a test that is another now may have observed other things */
				if (Object.keys(row.values).join(" ") === test.observes)
					addRow(found, row, column);
	});
	const all = [...found.values()].sort((a, b) => compare(a.values, b.values));
	const worth = all.slice().sort((a, b) => Boolean(b.tells) - Boolean(a.tells) || b.total - a.total);
	const left = new Set(worth.slice(MOST_OUTCOMES));
	const others = [...left].filter(({ total }) => total);

	return { shown: all.filter((outcome) => !left.has(outcome)), others: others.length,
		othersSeen: columns.map((_, column) => others.reduce((sum, { counts }) => sum + counts[column], 0)) };
}

function outcome({ name, row, counts }, test, ran) {
	const { word, sign, meaning } = data.kinds[kindOf(row)], deciding = (row.deciding || []).join(" ");
	const heading = make("th", { scope: "row" }, make("code", name || "(nothing observed)"));

	if (sign)
		heading.append(" ", make("span.k", { title: meaning }, `${sign} ${word}`, deciding ? ` ${deciding}` : ""));
	return make(`tr.${word}`, heading, ...ran.map((column) => count(counts[column], column, test)));
}

function histogram(test) {
	const ran = columns.map((_, index) => index).filter((index) => test.cells[index] && test.cells[index].instances);
	const { shown, others, othersSeen } = outcomesOf(test);
	const body = make("tbody", ...shown.map((row) => outcome(row, test, ran)));

	if (!shown.length)
		return null;
	if (others)
		body.append(make("tr.allowed", make("th", { scope: "row" }, `${exact(others)} others`),
			...ran.map((column) => count(othersSeen[column], column, test))));
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
	const [cut, filtered] = ["cut", "filtered"].map((key) =>
		test.cells.reduce((sum, cell) => sum + (cell ? cell[key] : 0), 0));
	const parts = [];

	if (cut)
		parts.push(`${exact(cut)} instances were cut: a bounded loop ended before its condition did. `);
	if (filtered)
		parts.push(`${exact(filtered)} instances were turned away by the test's filter.`);
	return parts.length ? make("p.note", ...parts) : null;
}

/* ---- the test itself ---- */

function specification(test) {
	if (!test.specification)
		return null;
	const [model, condition, observation, why] = ["model", "condition", "observation", "why"]
		.map((key) => strings[test.specification[key] || 0]);

	return make("p", `The specification${model ? ` (${model})` : ""} on `, make("code", condition), ": ",
		make("strong", observation), why ? ` – ${why}` : "", ".");
}

/* The shape's pieces with the test's words between them. What is not well-formed is not shown. */
function picture(test) {
	if (!test.picture)
		return null;
	const { shape, forbidden, name, words } = test.picture;
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
