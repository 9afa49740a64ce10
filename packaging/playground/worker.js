// SPDX-License-Identifier: Apache-2.0
// Stands behind the engine in a worker: a question in, the program's answer out.
"use strict";
const engine = playgroundEngine().then((module) => ({
	check: module.cwrap("oclmm_api_check", "string", ["string", "number"]),
	explain: module.cwrap("oclmm_api_explain", "string", ["string", "number", "string"]),
	kernel: module.cwrap("oclmm_api_kernel", "string", ["string", "number"]),
}));
engine.then(() => self.postMessage({ ready: true }), (problem) => self.postMessage({ failed: String(problem) }));

self.onmessage = async ({ data }) => {
	const functions = await engine;
	let answer;
	try {
		answer = JSON.parse(functions[data.what](data.text, data.variant, data.outcome));
	} catch (problem) {
		answer = { error: { text: `the oracle stopped: ${problem.message}`, line: 0 }, broken: true };
	}
	self.postMessage({ id: data.id, answer });
};
