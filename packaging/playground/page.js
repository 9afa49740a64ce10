// SPDX-License-Identifier: Apache-2.0
const $ = (id) => document.getElementById(id);
const PATIENCE = 12000; // milliseconds that an answer may take; the oracle itself gives up after ten seconds
const LONGEST = 1 << 20; // letters of a text that is still asked about
let worker, url, ready, pending = new Map(), asked = 0, shown = 0, timer;

/* ---- the oracle, in a thread of its own so that the page never hangs ---- */

function start() {
	url = url || URL.createObjectURL(new Blob([ENGINE, "\n", WORKER], { type: "text/javascript" }));
	worker = new Worker(url);
	ready = false;
	worker.onmessage = ({ data }) => {
		if (data.failed) {
			giveUp(`the oracle could not be started in this browser: ${data.failed}`);
			return;
		}
		if (data.ready) {
			ready = true;
			pending.forEach(watch);
			return;
		}
		const question = pending.get(data.id);
		pending.delete(data.id);
		if (data.answer.broken)
			restart();
		if (question) {
			clearTimeout(question.timer);
			question.resolve(data.answer);
		}
	};
	worker.onerror = () => stop("the oracle could not be started in this browser");
}

// From when the oracle is there: a slow machine may take long to start it.
function watch(question) {
	question.timer = setTimeout(() => stop(`not answered within ${PATIENCE / 1000} seconds: the program has too many executions`), PATIENCE);
}

function stop(why) {
	restart();
	giveUp(why);
}

function giveUp(why) {
	const open = [...pending.values()];
	pending.clear();
	for (const question of open) {
		clearTimeout(question.timer);
		question.resolve({ error: { text: why, line: 0 }, stopped: true });
	}
}

function restart() {
	worker.terminate();
	start();
}

function ask(what, text, variant, outcome) {
	return new Promise((resolve) => {
		const id = ++asked;
		pending.set(id, { resolve });
		if (ready)
			watch(pending.get(id));
		worker.postMessage({ id, what, text, variant, outcome: outcome || "" });
	});
}

/* ---- the editor ---- */

const KINDS = new Map(Object.entries(WORDS).flatMap(([kind, words]) => words.map((word) => [word, kind])));
const TOKEN = /(^[ \t]*\(\*[\s\S]*?(?:\*\)|$(?![\s\S]))|\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|\/\/[^\n]*)|("[^"\n]*"?)|([A-Za-z_]\w*)|(\b\d\w*)/gm;

function escaped(text) {
	return text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
}

function painted(text) {
	return escaped(text).replace(TOKEN, (all, comment, string, word, number) => {
		const kind = comment ? "comment" : string ? "string" : number ? "number" : KINDS.get(word);
		return kind ? `<span class="${kind}">${all}</span>` : all;
	});
}

// Entities such as &lt; look like words to the pattern; none of them is one of the language's.
function paint(place) {
	const text = $("text").value;
	number();
	if (!place || !place.line) {
		$("paint").innerHTML = painted(text) + "\n";
		return;
	}
	const lines = text.split("\n");
	const at = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + Math.max(place.column, 1) - 1;
	const end = at + Math.max(place.length, 1);
	$("paint").innerHTML = painted(text.slice(0, at)) + `<span class="wrong">${escaped(text.slice(at, end))}</span>` +
		painted(text.slice(end)) + "\n";
}

function follow() {
	$("paint").scrollTop = $("text").scrollTop;
	$("paint").scrollLeft = $("text").scrollLeft;
	$("numbers").scrollTop = $("text").scrollTop;
}

// The explanation names lines by these numbers.
function number() {
	const lines = $("text").value.split("\n").length;
	if (Number($("numbers").dataset.lines) === lines)
		return;
	$("numbers").dataset.lines = String(lines);
	$("numbers").textContent = Array.from({ length: lines }, (_, index) => index + 1).join("\n") + "\n";
	$("editor").style.setProperty("--digits", String(lines).length);
}

/* ---- small things of the document ---- */

function element(name, attributes = {}, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	made.append(...children);
	return made;
}

function fill(select, entries, chosen) {
	select.replaceChildren(...entries.map(([value, label]) => element("option", { value }, label)));
	select.value = chosen;
}

/* ---- whose text it is ---- */

let origin = { name: "", text: "" };

function tellWhose() {
	const changed = $("text").value !== origin.text;
	$("whose").textContent = !origin.name ? "Your own text." :
		changed ? `Your text, begun from ${origin.name}.` : `${origin.name[0].toUpperCase()}${origin.name.slice(1)}, unchanged.`;
}

function begunFrom(name) {
	origin = { name, text: $("text").value };
	before = undefined;
	tellWhose();
}

/* ---- the answer ---- */

// What the last answered text of the same origin was, to say when a change repaired it.
let before;
const REPAIRS = { Sometimes: 1, Always: 1, Undefined: 1, Disputed: 1 };

const SENTENCES = {
	Never: "Never: no execution that the model allows ends as the test asks.",
	Sometimes: "Sometimes: an allowed execution ends as the test asks, another one does not.",
	Always: "Always: every allowed execution ends as the test asks.",
	Undefined: "Undefined: the program has undefined behaviour, so the model promises nothing.",
	Disputed: "Disputed: readings of the specification differ.",
};

function refuse(error) {
	$("refusal").hidden = !error;
	$("refusal").textContent = error ? error.text : "";
	$("text").setAttribute("aria-invalid", String(Boolean(error)));
	paint(error);
}

function histogramOf(name) {
	return HISTOGRAMS.tests ? HISTOGRAMS.tests[name] : undefined;
}

function counts(name, outcome, most) {
	const count = (histogramOf(name) || {})[outcome] || 0;
	const bar = element("span", { class: "bar", style: `width:${count ? Math.max(1, 40 * count / most) : 0}px`, "aria-hidden": "true" });
	return element("td", {}, bar, count.toLocaleString("en"));
}

// One outcome: how often it was seen, and its status under each model.
function stateRow(said, index, histogram) {
	const { models } = said.verdict, state = models.consensus.states[index];
	const row = element("tr", state.condition ? { class: "asked" } : {},
		element("td", { class: "outcome" }, state.condition ? "▸ " : "  ", state.outcome));
	if (histogram)
		row.append(counts(said.name, state.outcome, Math.max(...Object.values(histogram))));
	for (const { states } of Object.values(models))
		row.append(element("td", { class: states[index].status }, states[index].status));
	const rules = element("td", {});
	for (const knob of state.deciding || [])
		rules.append(element("abbr", { title: said.knobs[knob] }, knob), " ");
	row.append(rules);
	return row;
}

function showStates(said) {
	const histogram = histogramOf(said.name);
	const head = element("tr", {}, element("th", { scope: "col" }, "outcome"));
	if (histogram)
		head.append(element("th", { scope: "col" }, "seen"));
	for (const model of Object.keys(said.verdict.models))
		head.append(element("th", { scope: "col", title: said.models[model] }, model));
	head.append(element("th", { scope: "col" }, "rules"));
	$("states").replaceChildren(element("thead", {}, head),
		element("tbody", {}, ...said.verdict.models.consensus.states.map((_, index) => stateRow(said, index, histogram))));
	$("device").textContent = histogram ? `Seen: how often ${HISTOGRAMS.device} ended so (${HISTOGRAMS.command}).` : "";
}

function showVerdict(said) {
	const { condition, candidates, seconds, models } = said.verdict, { observation, witness } = models.consensus;
	const time = seconds < 0.001 ? `${Math.round(seconds * 1e6)} µs` : `${(seconds * 1000).toFixed(1)} ms`;
	const repaired = observation === "Never" && condition.startsWith("exists") && REPAIRS[before];
	before = observation;
	$("verdict").textContent = (repaired ? "✓ Repaired. " : "") + SENTENCES[observation];
	$("verdict").className = repaired ? "repaired" : "";
	$("question").textContent = `${condition} · ${candidates.toLocaleString("en")} candidate executions in ${time}` +
		(witness ? ` · ${witness.why}` : "");
	showStates(said);
}

// What forbids the asked outcome where it was possible is a repair.
function changeItem(change) {
	const repairs = change.status === "forbidden";
	const item = element("li", {}, `${change.what}: then it is `,
		element("b", { class: repairs ? "repaired" : change.status }, change.status, repairs ? " ✓" : ""));
	for (const line of change.lines) {
		const code = element("pre", {});
		if (line.before !== null)
			code.append(element("del", {}, `${line.line}: ${line.before.trim()}`), "\n");
		if (line.after !== null)
			code.append(element("ins", {}, `${line.line}: ${line.after.trim()}`), "\n");
		item.append(code);
	}
	return item;
}

async function showReason(mine) {
	const text = $("text").value, variant = Number($("variant").value), outcome = $("outcome").value;
	const why = await ask("explain", text, variant, outcome);
	if (mine !== shown)
		return;
	$("why").textContent = why.error ? why.error.text : why.text;
	$("picture").innerHTML = why.svg || ""; // written by the program, which escapes what it was given
	$("changes").replaceChildren();
	if (why.changes && why.changes.length)
		$("changes").append(element("h3", {}, "The smallest changes that turn the verdict"),
			element("ul", {}, ...why.changes.map(changeItem)));
	if ($("kernel-part").open)
		showKernel(mine);
}

async function showKernel(mine = shown) {
	const said = await ask("kernel", $("text").value, Number($("variant").value));
	if (mine === shown)
		$("kernel").textContent = said.error ? said.error.text : said.kernel;
}

// An outcome as the final condition of a file has it.
function condition(outcome) {
	return outcome.split(";").map((part) => part.trim()).filter(Boolean).join(" /\\ ");
}

async function answer() {
	const mine = ++shown, text = $("text").value;
	if (text.length > LONGEST) {
		refuse({ text: `the text has ${text.length} letters, more than ${LONGEST}`, line: 0 });
		return;
	}
	const said = await ask("check", text, Number($("variant").value) || 0);
	if (mine !== shown)
		return;
	refuse(said.error);
	if (said.error) {
		const before = document.documentElement.dataset.answered;
		$("verdict").textContent = (said.stopped ? "There is no answer to this text." : "The text is refused.") +
			(before ? " The answer below belongs to the last text that was read." : "");
		$("verdict").className = "";
		return;
	}
	fill($("variant"), said.variants.map((name, index) => [index, name]), Number($("variant").value) || 0);
	const chosen = $("outcome").value;
	fill($("outcome"), [["", "the outcome that the test asks about"],
		...said.verdict.models.consensus.states.map((state) => [condition(state.outcome), state.outcome])], "");
	if ([...$("outcome").options].some((option) => option.value === chosen))
		$("outcome").value = chosen;
	showVerdict(said);
	await showReason(mine);
	document.documentElement.dataset.answered = String(mine);
}

function typed() {
	clearTimeout(timer);
	$("variant").value = "0";
	paint();
	tellWhose();
	timer = setTimeout(answer, 150);
}

/* ---- links that carry the text ---- */

// A link may come from anybody, and a few bytes of it may stand for any number: no litmus file has so many.
const MOST_BYTES = 1 << 20;

async function through(stream, bytes) {
	const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
	const parts = [];
	let size = 0;
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		size += part.value.length;
		if (size > MOST_BYTES) {
			reader.cancel();
			throw new RangeError("too long a text");
		}
		parts.push(part.value);
	}
	return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function pack(text) {
	const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
	return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpack(word) {
	const bytes = Uint8Array.from(atob(word.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
	return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

async function copyLink() {
	location.hash = `text=${await pack($("text").value)}`;
	try {
		await navigator.clipboard.writeText(location.href);
		$("link").textContent = "Copied";
	} catch {
		$("link").textContent = "The link stands in the address bar";
	}
	setTimeout(() => { $("link").textContent = "Copy a link to this text"; }, 3000);
}

// The text; undefined when the link cannot be read, null without one.
async function textOfAddress() {
	const word = /^#text=([\w-]+)$/.exec(location.hash);
	if (!word)
		return null;
	try {
		return await unpack(word[1]);
	} catch {
		return undefined;
	}
}

/* ---- the suite ---- */

const nameOf = (path) => path.split("/")[1].replace(/\.litmus$/, "");

// Tests whose name, family or text has every word; those that have them in the name come first.
function matching(words) {
	const paths = Object.keys(SUITE);
	const found = paths.filter((path) => words.every((word) => path.toLowerCase().includes(word) || SUITE[path].toLowerCase().includes(word)));
	const inName = (path) => words.every((word) => nameOf(path).toLowerCase().includes(word));
	return [...found.filter(inName), ...found.filter((path) => !inName(path))];
}

function fillSuite() {
	const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean), found = matching(words);
	const chosen = $("suite").value, folders = new Map();
	for (const path of found) {
		const [folder] = path.split("/");
		if (!folders.has(folder))
			folders.set(folder, element("optgroup", { label: folder }));
		folders.get(folder).append(element("option", { value: path }, nameOf(path)));
	}
	$("suite").replaceChildren(element("option", { value: "" }, found.length ? "a test of the suite …" : "no test has these words"),
		...folders.values());
	$("suite").value = found.includes(chosen) ? chosen : "";
	$("found").textContent = words.length ? `${found.length} of ${Object.keys(SUITE).length} tests` : "";
	return found;
}

function searched(event) {
	if (event.key === "Enter" && fillSuite().length)
		choose(matching($("find").value.toLowerCase().split(/\s+/).filter(Boolean))[0]);
}

function put(text, name) {
	$("text").value = text;
	$("variant").value = "0";
	$("text").scrollTop = 0;
	begunFrom(name);
	paint();
	follow();
	return answer();
}

function choose(path) {
	if (!path)
		return undefined;
	$("suite").value = path;
	return put(SUITE[path], `the suite's test ${nameOf(path)}`);
}

async function begin() {
	start();
	fillSuite();
	$("text").addEventListener("input", typed);
	$("text").addEventListener("scroll", follow);
	$("find").addEventListener("input", fillSuite);
	$("find").addEventListener("keydown", searched);
	$("suite").addEventListener("change", () => choose($("suite").value));
	$("variant").addEventListener("change", answer);
	$("outcome").addEventListener("change", () => showReason(++shown));
	$("kernel-part").addEventListener("toggle", () => $("kernel-part").open && showKernel());
	$("link").addEventListener("click", copyLink);
	const given = await textOfAddress();
	if (given === null) {
		put(START, "the suite's test MP+rel+acq without its comments");
	} else if (given === undefined) {
		$("verdict").textContent = "There is no text to answer.";
		refuse({ text: "the link is damaged: its text cannot be read", line: 0 });
	} else {
		put(given, "the text of the link that you followed");
	}
}

begin();
