// SPDX-License-Identifier: Apache-2.0
// The playground's program answers as the committed files say: all of expected/,
// byte for byte, and refuses in the words of the tables of tests/syntax/refuse.
//
// usage: node suite.js ENGINE SOURCE-FOLDER
"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");

const [engine, source] = process.argv.slice(2);
if (engine === "-") {
	console.log("the page is not built: it needs Emscripten, and -Dplayground=enabled");
	process.exit(77);
}

function files(folder, suffix) {
	const found = [];
	for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
		const full = path.join(folder, entry.name);
		if (entry.isDirectory())
			found.push(...files(full, suffix));
		else if (entry.name.endsWith(suffix))
			found.push(full);
	}
	return found.sort();
}

function call(module, name, types) {
	const raw = module.cwrap(name, "string", types);
	return (...values) => JSON.parse(raw(...values));
}

function holdSuite(expected) {
	const folder = path.join(source, "litmus");
	let count = 0;
	for (const file of files(folder, ".litmus")) {
		const name = path.relative(folder, file).split(path.sep).join("/");
		const said = expected(fs.readFileSync(file, "utf8"), name);
		const written = path.join(source, "expected", name.replace(/\.litmus$/, ".expected"));
		assert.strictEqual(said.expected, fs.readFileSync(written, "utf8"), name);
		count++;
	}
	assert.ok(count > 100, `only ${count} files`);
	return count;
}

// A row: `=== name`, the text, `--- ` and what is said of it, between the lines that `+++` gives, as
// tests/syntax/refused.c reads it. Escaped bytes are no text of a page, and what Dartagnan alone refuses is
// accepted here.
function holdRefusals(check) {
	let count = 0;
	for (const table of files(path.join(source, "tests/syntax/refuse"), ".txt")) {
		if (path.basename(table) === "dartagnan.txt")
			continue;
		let above = "", below = "";
		for (const row of fs.readFileSync(table, "utf8").split(/^(?==== |\+\+\+$)/m).slice(1)) {
			const frame = row.match(/^\+\+\+\n([^]*?)^\.\.\.\n([^]*)\n$/m);
			if (frame) {
				[, above, below] = frame;
				continue;
			}
			const [, name, text, words] = row.match(/^=== (.*)\n([^]*?)^--- ([^]*)$/m);
			if (name.endsWith("(escaped)"))
				continue;
			const said = check(above + text + below, 0);
			assert.ok(said.error, `${table}: ${name} is accepted`);
			assert.ok(words.includes(said.error.message), `${table}: ${name}: ${said.error.message}`);
			count++;
		}
	}
	assert.ok(count > 600, `only ${count} refusals`);
	return count;
}

function holdAnswers(check, explain, kernel) {
	const text = fs.readFileSync(path.join(source, "litmus/seq-cst/SB+sc+sc.litmus"), "utf8");
	const said = check(text, 0);
	const { consensus } = said.verdict.models;
	assert.deepStrictEqual(consensus.states.map((state) => [state.outcome, state.condition, state.status]), [
		["0:r0=0; 1:r0=0;", true, "forbidden"],
		["0:r0=0; 1:r0=1;", false, "allowed"],
		["0:r0=1; 1:r0=0;", false, "allowed"],
		["0:r0=1; 1:r0=1;", false, "allowed"],
	]);
	assert.strictEqual(consensus.observation, "Never");
	const why = explain(text, 0, "");
	assert.strictEqual(why.status, "forbidden");
	assert.ok(why.svg.startsWith("<svg"));
	assert.ok(why.changes.length > 0);
	assert.ok(why.text.includes("forbidden"));
	assert.match(explain(text, 0, "0:r0=").error.text, /\^/);
	assert.match(kernel(text, 0).kernel, /kernel void/);
	assert.match(check(text, 1000).error.message, /variants/);
	assert.match(check("", 0).error.text, /error/);
}

require(path.resolve(engine))().then((module) => {
	const check = call(module, "oclmm_api_check", ["string", "number"]);
	const explain = call(module, "oclmm_api_explain", ["string", "number", "string"]);
	const kernel = call(module, "oclmm_api_kernel", ["string", "number"]);
	const expected = call(module, "oclmm_api_expected", ["string", "string"]);
	holdAnswers(check, explain, kernel);
	console.log(`${holdRefusals(check)} refusals in the words of the goldens`);
	console.log(`${holdSuite(expected)} files of expected/ byte for byte`);
}).catch((error) => {
	console.error(error);
	process.exit(1);
});
